using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.XmlCode;

/// <summary>Code that XmlSerializer generated in a process at run time.</summary>
public sealed record XmlCodeRow
{
    /// <summary>The process.</summary>
    public required ProcessKey Process { get; init; }

    /// <summary>
    /// Number of assemblies generated in memory (<c>Microsoft.GeneratedCode</c>); null when assembly loads were not recorded.
    /// </summary>
    public required int? Assemblies { get; init; }

    /// <summary>
    /// Number of compiled methods of generated code (namespace <c>Microsoft.Xml.Serialization.GeneratedAssembly</c>); null when
    /// compilations were not recorded.
    /// </summary>
    public required int? Methods { get; init; }

    /// <summary>
    /// Number of failed loads of a prebuilt assembly (<c>*.XmlSerializers</c>); null when failed loads were not recorded.
    /// </summary>
    public required int? FailedLoads { get; init; }

    /// <summary>Time of the first sign, in ms since the start of the process's trace.</summary>
    public required double FirstMs { get; init; }

    /// <summary>Time of the last generated assembly or method, in ms since the start of the process's trace.</summary>
    public required double LastMs { get; init; }

    /// <summary>The run with the first sign; null before, between and after runs.</summary>
    public required Run? FirstRun { get; init; }
}
