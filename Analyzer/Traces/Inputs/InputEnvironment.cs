using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>
/// Environment of a part of the input, from recording.json, the header of a Windows trace, or a store. Texts are empty when unknown.
/// </summary>
/// <param name="Machine">Host name.</param>
/// <param name="OperatingSystem">Name and version of the operating system.</param>
/// <param name="Architecture">Architecture, for example X64.</param>
/// <param name="Cpu">Model name of the processor.</param>
/// <param name="CpuMegahertz">Frequency of the first processor in MHz; null when unknown.</param>
/// <param name="LogicalProcessors">Number of logical processors.</param>
public sealed record InputEnvironment(
    string Machine,
    string OperatingSystem,
    string Architecture,
    string Cpu,
    double? CpuMegahertz,
    int LogicalProcessors
)
{
    /// <summary>Destination of events: <c>file</c>, <c>circular:SIZE</c>, or <c>--max-size SIZE</c>.</summary>
    public string Mode { get; init; } = "";

    /// <summary>Sampler of CPU time: <c>perf</c>, <c>ptrace</c>.</summary>
    public string Sampler { get; init; } = "";

    /// <summary>Version of esp-record.</summary>
    public string ToolVersion { get; init; } = "";

    /// <summary>Environment of the suite's runs; null when not written.</summary>
    public RunEnvironment? Suite { get; init; }

    /// <summary>Environments of an input: one per recording, and one per Windows trace.</summary>
    internal static IReadOnlyList<InputEnvironment> Of(TraceInput input) =>
        [
            .. input.Recordings.Select(recording => Of(recording.Description)),
            .. input
                .Processes.SelectMany(process => process.Sources)
                .OfType<EtwSource>()
                .Select(source => source.Header)
                .Distinct()
                .Select(header => new InputEnvironment("", $"Windows {header.OSVersion}", "", "", header.CpuMegahertz, header.Processors)),
        ];

    private static InputEnvironment Of(Recording recording) =>
        new(
            recording.Host.MachineName,
            recording.Host.OperatingSystem,
            recording.Host.Architecture,
            recording.Host.Cpu,
            recording.Host.CpuMegahertz,
            recording.Host.LogicalProcessors
        )
        {
            Mode = recording.Mode,
            Sampler = recording.Kernel is { File.Length: > 0 } kernel ? kernel.Sampler : "",
            ToolVersion = recording.ToolVersion,
            Suite = recording.Environment,
        };
}
