using System.Globalization;
using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>The row of table <c>trace</c>.</summary>
internal static class TraceTableRow
{
    private const string Separator = ", ";

    public static StoredTrace Of(
        ExtractedTrace trace,
        StoredTrace identity,
        IReadOnlyList<StoredEnvironment> environments,
        ExtractOptions options
    )
    {
        var (input, result) = (trace.Input, trace.Result);
        var sources = input.Recordings.Select(recording => recording.Description.Source).ToList();
        var (started, duration) = Time(input);
        return identity with
        {
            Status = StoredTrace.Extracted,
            Tables = options.Tables,
            RecordedUtc = started?.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture),
            DurationMs = duration,
            Branch = options.Branch ?? sources.Select(source => source?.Branch).FirstOrDefault(branch => branch is not null),
            Commit = options.Commit ?? sources.Select(source => source?.Commit).FirstOrDefault(commit => commit is not null),
            Program = Join(result.Processes.Select(process => trace.Traced(process.Process)?.Program ?? "")),
            Runtime = Join(result.Processes.Select(process => trace.Traced(process.Process)?.RuntimeVersion ?? "")),
            Machine = Join(environments.Select(environment => environment.Host?.MachineName ?? "")),
            MachineClass = Join(environments.Select(environment => environment.MachineClass)),
            RunsExpected = result.RunsExpected,
            RunsFound = result.RunsFound,
            LostEvents = result.LostEvents,
        };
    }

    /// <summary>Time and duration of the recording: from the recording's description, or from the header of a bare file.</summary>
    private static (DateTime? StartedUtc, double? DurationMs) Time(TraceInput input)
    {
        if (input.Recordings.Count > 0)
        {
            var durations = input.Recordings.Select(recording => recording.Description.KnownDurationMs).ToList();
            return (
                input.Recordings.Min(recording => recording.Description.StartedUtc),
                durations.TrueForAll(duration => duration is not null) ? durations.Sum() : null
            );
        }

        var sources = input.Processes.SelectMany(process => process.Sources).ToList();
        if (sources.OfType<EtwSource>().FirstOrDefault()?.Header is { } header)
            return (
                header.StartTimeUtc > DateTime.MinValue ? header.StartTimeUtc : null,
                (header.EndTimeUtc - header.StartTimeUtc)?.TotalMilliseconds
            );
        return (sources.OfType<NetTraceSource>().Select(source => (DateTime?)source.StartUtc).Min(), null);
    }

    private static string Join(IEnumerable<string> names) => string.Join(Separator, names.Where(name => name.Length > 0).Distinct());
}
