using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.XmlCode;

/// <summary>What a process made of code for XmlSerializer while it ran.</summary>
public sealed record XmlCodeRow
{
    /// <summary>The process.</summary>
    public required ProcessKey Process { get; init; }

    /// <summary>Assemblies made in memory (<c>Microsoft.GeneratedCode</c>); null when assembly loads were not recorded.</summary>
    public required int? Assemblies { get; init; }

    /// <summary>Methods of made code that were compiled (namespace <c>Microsoft.Xml.Serialization.GeneratedAssembly</c>); null when compilations were not recorded.</summary>
    public required int? Methods { get; init; }

    /// <summary>Loads of an assembly made at build time (<c>*.XmlSerializers</c>) that did not find one; null when failed loads were not recorded.</summary>
    public required int? FailedLoads { get; init; }

    /// <summary>When the first of it happened, in ms since the process's trace began.</summary>
    public required double FirstMs { get; init; }

    /// <summary>When the last assembly or method was made, in ms since the process's trace began.</summary>
    public required double LastMs { get; init; }

    /// <summary>The run in which the first of it lies; null before, between and behind runs.</summary>
    public required Run? FirstRun { get; init; }
}
