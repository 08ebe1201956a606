using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>The lines above the tables: where the numbers come from and what is missing.</summary>
internal static class HeaderLines
{
    public static IEnumerable<string> Of(Report report) => report.Header ?? OfRuns(report);

    private static IEnumerable<string> OfRuns(Report report)
    {
        var input = report.Input;
        if (input.Recording is { } recording)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"Recording {string.Join(' ', input.Paths)}, {recording.StartedUtc:yyyy-MM-dd HH:mm:ss} UTC, {Duration(recording)}, esp-record {recording.ToolVersion}");
            yield return Host(recording.Host);
            yield return $"Command: {string.Join(' ', recording.Command)}{(recording.Attached ? " (recorded while it ran, by attaching)" : "")}";
            foreach (var line in Suite(recording))
                yield return line;
            if (recording.Kept is { } kept)
                yield return $"Kept interval ({recording.Mode}): {kept.Text}";
        }
        else
        {
            yield return $"Files {string.Join(' ', input.Paths)}";
        }

        var runtimes = Runtimes(report);
        if (runtimes.Count > 0)
            yield return $"Runtime: {string.Join(", ", runtimes)}";
        yield return Runs(report.Result);
    }

    /// <summary>The runtimes of the processes that have runs, without repeats.</summary>
    public static IReadOnlyList<string> Runtimes(Report report) =>
    [
        .. report.Input.Processes.Where(process => report.Result.Processes.Any(found => found.ProcessId == process.ProcessId))
            .Select(process => process.Runtime.Length > 0 ? process.Runtime : process.CsvRows.Select(row => row.Runtime).FirstOrDefault() ?? "")
            .Where(runtime => runtime.Length > 0).Distinct(),
    ];

    private static string Duration(Recording recording) =>
        recording.KnownDurationMs is { } duration ? (duration / 1000).ToString("0.0", CultureInfo.InvariantCulture) + " s" : "duration unknown";

    private static string Host(RecordingHost host) => string.Create(
        CultureInfo.InvariantCulture,
        $"Host: {host.MachineName}, {host.OperatingSystem}, {host.Architecture}, {(host.Cpu.Length > 0 ? host.Cpu + ", " : "")}{host.LogicalProcessors} logical processors, {host.MemoryBytes / 1e9:0.0} GB");

    /// <summary>What the suite's runs ran on; nothing of a program of one's own, which does not tell.</summary>
    private static IEnumerable<string> Suite(Recording recording) =>
        recording.Environment is { } environment ? environment.Lines.Select(line => "Suite: " + line) : recording.BuiltInSuite ? ["Suite: environment not recorded"] : [];

    private static string Pairing(AnalysisResult result) =>
        result.Processes.All(process => process.Pairing == DelimiterKind.MarkerWait) ? " by the marker's wait" : "";

    private static string Runs(AnalysisResult result)
    {
        var delimiters = result.Runs.GroupBy(run => run.Delimiter).OrderBy(group => group.Key).Select(group => $"{group.Key} {group.Count()}");
        var runs = result.RunsExpected is { } expected ? $"Runs: expected {expected}, found {result.RunsFound}{Pairing(result)}" : "Runs: none marked, the process is one run";
        return $"{runs}; delimited by {string.Join(", ", delimiters.DefaultIfEmpty("nothing"))}; events lost: {result.LostEvents}; damaged files: {result.Damages.Count}";
    }
}
