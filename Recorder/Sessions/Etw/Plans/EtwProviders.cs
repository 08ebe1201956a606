using System.Diagnostics.Tracing;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>The providers of user sessions: names and GUIDs in one place (src/coreclr/vm/ClrEtwAll.man in dotnet/runtime).</summary>
public static class EtwProviders
{
    /// <summary>Name of the rundown provider, which writes the runtime's state at the start or end of a session or process.</summary>
    public const string RundownName = "Microsoft-Windows-DotNETRuntimeRundown";

    /// <summary>The runtime's provider.</summary>
    public static Guid Runtime { get; } = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");

    /// <summary>The runtime's rundown provider.</summary>
    public static Guid Rundown { get; } = new("a669021c-c450-4609-a035-5af59af4df18");

    /// <summary>The runtime's private provider.</summary>
    public static Guid Private { get; } = new("763fd754-7086-4dfe-95eb-c01a46faf4ca");

    /// <summary>The run marks; an EventSource's GUID derives from its name.</summary>
    public static Guid Runs { get; } = EventSource.GetGuid(typeof(RunEventSource));

    /// <summary>
    /// Keyword of the rundown provider for method names when the provider is enabled late or the process ends (EndRundownKeyword).
    /// </summary>
    public const ulong RundownAtEnd = 0x100;

    /// <summary>
    /// Modules, jitted and precompiled methods at the end (0x138). Microsoft's example uses 0xB8, whose bit 0x80 the provider does not
    /// define; common practice uses 0x118, without precompiled methods.
    /// </summary>
    public const ulong RundownKeywords = RundownAtEnd | (ulong)(RuntimeKeywords.Loader | RuntimeKeywords.Jit | RuntimeKeywords.Ngen);

    /// <summary>Purpose of the statements of code, appended to the purpose of a provider.</summary>
    public const string LinesPurpose = ", source lines of their code";

    /// <summary>The provider of the run marks, with all of its few events.</summary>
    public static EtwProvider RunMarks() =>
        new(
            RunEventSource.ProviderName,
            Runs,
            ulong.MaxValue,
            EtwLevel.Informational,
            "run marks: start and end of each run of each serializer"
        )
        {
            IsEventSource = true,
        };

    /// <summary>The rundown provider.</summary>
    /// <param name="purpose">Purpose of the rundown.</param>
    /// <param name="lines">Whether it also lists the statements of the methods' code.</param>
    public static EtwProvider RundownProvider(string purpose, bool lines) =>
        new(
            RundownName,
            Rundown,
            RundownKeywords | (lines ? (ulong)RuntimeKeywords.JittedMethodILToNativeMap : 0),
            EtwLevel.Verbose,
            purpose + (lines ? LinesPurpose : "")
        );
}
