using System.Globalization;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Sources;

namespace EtwSerializerProfiler.Reports;

/// <summary>The first screen of programs that mark no runs: what their time was spent on, and in which of their methods. Nothing in it is about serializers.</summary>
internal static class ProgramSummary
{
    private const int MethodsShown = 10;
    private const int PartsShown = 6;

    /// <summary>Whether all that was read are programs without runs, with the stacks that were recorded.</summary>
    public static bool IsFor(RunReading read) => read.Flames is not null && read.Result.Rows.Count > 0 && read.Result.Runs.All(run => run.Delimiter == RunDelimiter.WholeProcess);

    /// <summary>The table's report with summaries in the place of its rows; programs get the rows all the same.</summary>
    /// <param name="table">The table.</param>
    /// <param name="read">What was read, with its stacks.</param>
    public static Report InPlaceOf(Report table, RunReading read)
    {
        var flames = read.Flames?.Result(int.MaxValue);
        var folder = read.Input.Paths.Count == 1 ? read.Input.Paths[0] : "FOLDER";
        return table with
        {
            Sections = [.. read.Result.Rows.Select(row => Of(row, flames, read.Waits)), .. table.Sections.Select(section => section.Key == "rows" ? section.ForPrograms() : section)],
            Closing = [.. table.Closing, $"More: esp-analyze cpu {folder} --tree (calls), alloc, gc, waits, locks --by method, exceptions, jit (events), table (all measures)"],
        };
    }

    private static Section Of(SummaryRow row, FlameSet? flames, WaitResult? waits)
    {
        var tree = flames?.Trees.FirstOrDefault(tree => tree.Runs == row.Key with { ObjectCount = 0 });
        var lines = new List<string>();
        OwnMethods? methods = null;
        if (flames is not null && tree is not null)
        {
            methods = OwnMethods.Of(flames.Frames, tree);
            lines.Add($"CPU time by cause: {Parts(tree, node => node.Cause < 0 ? "program and libraries" : CauseCatalog.All[node.Cause].Group)}");
            lines.Add($"CPU time by module: {Parts(tree, node => flames.Frames[node.Frame].Module)}");
        }
        else
        {
            lines.Add($"CPU samples: {Column<Run>.NotRecorded}");
        }

        lines.AddRange(WaitSummary.Lines(row.Key, waits));
        lines.Add(Gc(row));
        lines.Add(string.Join("; ", Events(row)));
        if (methods is not null)
        {
            lines.Add("");
            lines.Add(methods.Methods.Count == 0
                ? "No managed method of the program or its libraries is in the stacks"
                : $"Methods of the program and its libraries, each with the platform's code it calls; {Percent(methods.TicksBelowNone, tree!.Ticks)} of the CPU time is below none of them");
        }

        return Section.Of("", Title(row), methods?.Methods.Take(MethodsShown).ToList() ?? [], Columns(flames, tree), []).With(lines);
    }

    private static string Title(SummaryRow row)
    {
        var (wallMs, processes) = (row.WallTotalMs ?? 0, row.Runs == 1 ? "" : FormattableString.Invariant($" ({row.Runs} processes, times added up)"));
        var cpu = row.CpuMs is { } ms ? string.Create(CultureInfo.InvariantCulture, $"{ms:0} ms, {ms / wallMs * 100:0} % of one processor") : Column<Run>.NotRecorded;
        return $"{row.Key.Serializer}{(row.Key.Runtime.Length > 0 ? $" on {row.Key.Runtime}" : "")}{processes}: {Number(wallMs / 1e3, "0.00")} s, CPU time {cpu}";
    }

    private static string Gc(SummaryRow row) => row is { Gcs: { } gcs, PauseTotalMs: { } pause, PausePercent: { } percent } && GcMeasures.MaxPause.ValueOf(row) is { } max
        ? string.Create(CultureInfo.InvariantCulture, $"GCs: {gcs.Gen0} of generation 0, {gcs.Gen1} of 1, {gcs.Gen2} of 2; pauses {pause:0.0} ms, {percent:0.0} % of the time, longest {max:0.0} ms")
        : $"GCs: {Column<Run>.NotRecorded}";

    private static IEnumerable<string> Events(SummaryRow row)
    {
        yield return row is { JitMethods: { } methods, JitMs: { } time } ? string.Create(CultureInfo.InvariantCulture, $"JIT: {methods} methods, {time:0.0} ms") : $"JIT: {Column<Run>.NotRecorded}";
        yield return row.Exceptions is { } exceptions ? string.Create(CultureInfo.InvariantCulture, $"exceptions: {exceptions}") : $"exceptions: {Column<Run>.NotRecorded}";
        yield return row is { Contentions: { } waits, ContentionMs: { } waited } ? string.Create(CultureInfo.InvariantCulture, $"waits for locks: {waits}, {waited:0.0} ms") : $"waits for locks: {Column<Run>.NotRecorded}";
        yield return row.AllocatedBytes is { } bytes ? $"allocated: {Number(bytes / 1e6, "0.0")} MB" : $"allocated: {Column<Run>.NotRecorded} (--alloc sampled)";
    }

    private static List<Column<OwnMethod>> Columns(FlameSet? flames, FlameTree? tree) =>
    [
        new("method", "Method", method => method.Name),
        new("module", "Module", method => method.Module),
        new("cpuMs", "ms", method => flames!.ToMilliseconds(method.Ticks), "0.0"),
        new("percent", "%", method => 100.0 * method.Ticks / Math.Max(1, tree!.Ticks), "0.0"),
        new("samples", "Samples", method => method.Samples, "0"),
        new("inclusiveCpuMs", "With all calls ms", method => flames!.ToMilliseconds(method.InclusiveTicks), "0.0"),
    ];

    /// <summary>The largest parts of the CPU time with their shares.</summary>
    private static string Parts(FlameTree tree, Func<FlameNode, string> part)
    {
        var parts = tree.Nodes.Where(node => node.Ticks > 0).GroupBy(part).Select(group => (Name: group.Key.Length > 0 ? group.Key : "unknown", Ticks: group.Sum(node => node.Ticks))).OrderByDescending(item => item.Ticks).ToList();
        var rest = parts.Skip(PartsShown).Sum(item => item.Ticks);
        return string.Join(", ", parts.Take(PartsShown).Append((Name: "others", Ticks: rest)).Where(item => item.Ticks * 200 >= tree.Ticks).Select(item => $"{item.Name} {Percent(item.Ticks, tree.Ticks)}"));
    }

    private static string Percent(long ticks, long all) => Number(100.0 * ticks / Math.Max(1, all), "0") + " %";

    private static string Number(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);
}
