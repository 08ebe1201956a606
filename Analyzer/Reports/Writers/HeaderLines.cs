using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Lines above the tables: origin and losses.</summary>
internal static class HeaderLines
{
    public static IEnumerable<string> Of(Report report) => report.Header ?? OfRuns(report);

    private static IEnumerable<string> OfRuns(Report report)
    {
        var input = report.Input;
        if (input.Recordings is [var first, ..] && input.Recording is null)
        {
            foreach (var line in OfRecordings(input, first.Description))
                yield return line;
        }
        else if (input.Recording is { } recording)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"Recording {string.Join(' ', input.Paths)}, {recording.StartedUtc:yyyy-MM-dd HH:mm:ss} UTC, {Duration(recording)}{(recording.EndedByUser ? ", stopped by the user" : "")}, esp-record {recording.ToolVersion}"
            );
            yield return Host(recording.Host);
            if (recording.Command.Count > 0)
                yield return $"Command: {string.Join(' ', recording.Command)}{How(recording)}";
            if (Sampler(recording) is { } sampler)
                yield return sampler;
            foreach (var line in Suite(recording))
                yield return char.ToUpperInvariant(line[0]) + line[1..];
            if (Kept(recording) is { } kept)
                yield return kept;
        }
        else
        {
            yield return $"Files {string.Join(' ', input.Paths)}";
        }

        var runtimes = RuntimeFacts.Of(report);
        if (runtimes.Count > 0)
        {
            foreach (var runtime in runtimes)
                yield return runtime.Line;
        }
        else if (Runtimes(report) is { Count: > 0 } versions)
        {
            yield return $"Runtime: {string.Join(", ", versions)}{RuntimeFacts.Program(RuntimeFacts.ProgramOf(report.Result.Runs))}";
        }

        if (input.SampleProfilerNote is { Length: > 0 } sampled)
            yield return $"CPU time: {sampled}";
        yield return Runs(report.Result, input.Processes.Any(process => process.Range is not null));
    }

    /// <summary>
    /// One line with the recording, its size and its losses. Further lines follow if perf events did not sample the CPU time, or if only an
    /// interval was kept.
    /// </summary>
    public static IReadOnlyList<string> Brief(Report report)
    {
        var (input, result) = (report.Input, report.Result);
        var names = result.Rows.Concat(result.FirstUseRows).Select(row => row.Key.Serializer).Distinct().Count();
        var leftOut = input
            .Recordings.SelectMany(recording => recording.Description.Workload?.LeftOut ?? [])
            .Concat(input.LeftOut)
            .Select(left => left.Serializer)
            .Distinct()
            .Count();
        List<string> parts =
        [
            string.Create(
                CultureInfo.InvariantCulture,
                $"{names}{(leftOut > 0 ? $" of {names + leftOut}" : "")} {(ReportBuilder.AreOfEvents(result) ? $"{Plural.Noun(names, "kind")} of runs" : Plural.Noun(names + leftOut, "serializer"))}"
            ),
            string.Create(
                CultureInfo.InvariantCulture,
                $"{result.RunsFound} of {Plural.Of(result.RunsExpected ?? result.RunsFound, "run")}"
            ),
            Losses(result),
            .. Runtimes(report),
        ];
        return
        [
            $"{string.Join(' ', input.Paths)}: {string.Join(", ", parts)}{(input.Recordings.Any(recording => recording.Description.EndedByUser) ? ", stopped by the user" : "")}",
            .. Unusual(input),
        ];
    }

    /// <summary>Lines on a program without marks: what was recorded, and losses.</summary>
    public static IReadOnlyList<string> OfProgram(Report report)
    {
        var (input, result) = (report.Input, report.Result);
        List<string> parts =
        [
            .. input.Recording is { } recording ? [Duration(recording)] : Array.Empty<string>(),
            .. Runtimes(report),
            Losses(result),
            .. input.Recordings.Any(recording => recording.Description.EndedByUser) ? ["stopped by the user"] : Array.Empty<string>(),
        ];
        return
        [
            $"{string.Join(' ', input.Paths)}: {string.Join(", ", parts)}",
            .. input
                .Recordings.Where(recording => recording.Description.Command.Count > 0)
                .Select(recording => $"Command: {Short(recording.Description.Command)}{How(recording.Description)}")
                .Distinct(),
            .. Unusual(input),
        ];
    }

    /// <summary>A command line, shortened to about two lines, because compilers have hundreds of arguments.</summary>
    private static string Short(IReadOnlyList<string> command)
    {
        const int MaxLength = 160;
        var shown = 1;
        for (var length = command[0].Length; shown < command.Count && length + 1 + command[shown].Length <= MaxLength; shown++)
            length += 1 + command[shown].Length;
        return string.Join(' ', command.Take(shown))
            + (shown == command.Count ? "" : string.Create(CultureInfo.InvariantCulture, $" … ({command.Count - shown} more)"));
    }

    private static string Losses(AnalysisResult result) =>
        result switch
        {
            { LostEvents: 0, Damages.Count: 0, InputProblems.Count: 0 } => "nothing lost",
            { LostEvents: 0, Damages.Count: 0 } => "incomplete (see the warnings)",
            _ => string.Create(CultureInfo.InvariantCulture, $"events lost: {result.LostEvents}, damaged files: {result.Damages.Count}"),
        };

    /// <summary>Lines on unusual sampling of CPU time, and on a kept interval.</summary>
    private static IEnumerable<string> Unusual(TraceInput input) =>
        input
            .Recordings.SelectMany(recording => new[] { Sampler(recording.Description), Kept(recording.Description) })
            .Append(input.SampleProfilerNote is { Length: > 0 } sampled ? $"CPU time: {sampled}" : null)
            .OfType<string>()
            .Distinct();

    /// <summary>Lines on several recordings read as one: common facts once, differences by label.</summary>
    private static IEnumerable<string> OfRecordings(TraceInput input, Recording first)
    {
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"Recordings {string.Join(' ', input.Paths)}: {string.Join(", ", input.Recordings.Select(recording => $"{recording.Label} ({Duration(recording.Description)})"))}; {input.Recordings.Min(recording => recording.Description.StartedUtc):yyyy-MM-dd HH:mm:ss} UTC, esp-record {first.ToolVersion}"
        );
        foreach (var hosts in input.Recordings.GroupBy(recording => Host(recording.Description.Host)))
            yield return hosts.Count() == input.Recordings.Count
                ? hosts.Key
                : $"{string.Join(", ", hosts.Select(recording => recording.Label))}: {hosts.Key}";
        foreach (var recording in input.Recordings)
        {
            if (recording.Description.Command.Count > 0)
                yield return $"{recording.Label}: command: {string.Join(' ', recording.Description.Command)}{How(recording.Description)}";
            foreach (var line in Suite(recording.Description))
                yield return $"{recording.Label}: {line}";
            if (Kept(recording.Description) is { } kept)
                yield return $"{recording.Label}: {kept}";
        }
    }

    /// <summary>Distinct runtimes of the processes with runs.</summary>
    public static IReadOnlyList<string> Runtimes(Report report) =>
        [
            .. report
                .Input.Processes.Where(process => report.Result.Processes.Any(found => found.Process == process.Key))
                .Select(process => process.RuntimeVersion)
                .Where(runtime => runtime.Length > 0)
                .Distinct(),
        ];

    /// <summary>Explains CPU time that ptrace sampled; null otherwise.</summary>
    private static string? Sampler(Recording recording) =>
        recording.Kernel is { Sampler: "ptrace", File.Length: > 0 } kernel
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"CPU time: read from each thread's clock, sampled by ptrace, {kernel.SampleRateHz} samples a second; no context switches"
            )
            : null;

    private static string? Kept(Recording recording) =>
        recording.Kept is { } kept ? $"Kept interval ({recording.Mode}): {kept.Text}" : null;

    private static string Duration(Recording recording) =>
        recording.KnownDurationMs is { } duration
            ? (duration / 1000).ToString("0.0", CultureInfo.InvariantCulture) + " s"
            : "duration unknown";

    private static string How(Recording recording) =>
        (recording.Attached ? " (attached while it ran)" : "") + (recording.Configuration is { } file ? $" (configured by {file})" : "");

    private static string Host(RecordingHost host) =>
        $"Host: {(host.MachineName.Length > 0 ? host.MachineName + ", " : "")}{HostText.Of(host)}";

    /// <summary>Environment of the suite's runs; empty for a user's program, which does not record it.</summary>
    private static IEnumerable<string> Suite(Recording recording) =>
        recording.Environment is { } environment ? environment.Lines.Select(line => "suite: " + line)
        : recording.BuiltInSuite ? ["suite: environment not recorded"]
        : [];

    private static string Pairing(AnalysisResult result) =>
        result.Processes.All(process => process.Pairing == RunDelimiter.MarkerWait) ? $" by {RunDelimiter.MarkerWait.Phrase}" : "";

    private static string Runs(AnalysisResult result, bool isPart)
    {
        var delimiters = result
            .Runs.GroupBy(run => run.Delimiter)
            .OrderBy(group => group.Key.Rank)
            .Select(group => $"{group.Key} {group.Count()}");
        var runs =
            result.RunsExpected is { } expected ? $"Runs: expected {expected}, found {result.RunsFound}{Pairing(result)}"
            : isPart ? "Runs: the named part of the process is one run"
            : "Runs: none marked, the whole process is one run";
        return $"{runs}; delimited by {string.Join(", ", delimiters.DefaultIfEmpty("nothing"))}; events lost: {result.LostEvents}; damaged files: {result.Damages.Count}";
    }
}
