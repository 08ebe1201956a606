using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Rows of table <c>environment</c>: one for each recording, one for a bare file.</summary>
internal static class EnvironmentRows
{
    /// <summary>Creates the rows in the order of the recordings.</summary>
    public static IReadOnlyList<StoredEnvironment> Of(ExtractedTrace trace) =>
        [
            .. trace.Result.Recordings.Select(facts =>
            {
                var recording = trace.Input.Recordings.FirstOrDefault(item => item.Label == facts.Label);
                var environment = new StoredEnvironment { Label = facts.Label, Facts = facts };
                if (recording is not null)
                    return OfRecording(environment, recording);
                return
                    trace.Input.Processes.SelectMany(process => process.Sources).OfType<EtwSource>().FirstOrDefault()?.Header is { } header
                    ? OfHeader(environment, header)
                    : environment;
            }),
        ];

    private static StoredEnvironment OfRecording(StoredEnvironment environment, InputRecording recording)
    {
        var host = recording.Description.Host;
        return environment with
        {
            Host = host,
            OperatingSystem = host.OperatingSystem,
            Processors = host.LogicalProcessors > 0 ? host.LogicalProcessors : null,
            CpuMegahertz = host.CpuMegahertz,
            MachineClass = MachineClass.Of(host),
            RecordingJson = Text(recording.Folder, Recording.FileName),
            EnvironmentJson = recording.Description.Environment is null ? null : Text(recording.Folder, RunEnvironment.FileName),
            Description = recording.Description,
        };
    }

    private static StoredEnvironment OfHeader(StoredEnvironment environment, EtlTraceHeader header)
    {
        var system = $"Windows {header.OSVersion}";
        return environment with
        {
            OperatingSystem = system,
            Processors = header.Processors,
            CpuMegahertz = header.CpuMegahertz > 0 ? header.CpuMegahertz : null,
            MachineClass = MachineClass.Of(
                system,
                "",
                header.CpuMegahertz > 0 ? FormattableString.Invariant($"{header.CpuMegahertz} MHz") : "",
                header.Processors
            ),
        };
    }

    private static string? Text(string folder, string name)
    {
        var path = Path.Combine(folder, name);
        return File.Exists(path) ? File.ReadAllText(path) : null;
    }
}
