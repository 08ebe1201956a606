using System.Globalization;
using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Html;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Reports.Writers;

namespace EtwSerializerProfiler.Reports;

/// <summary>
/// First screen for programs without marks: where their time went, by method, and the findings. At most 100 columns, and 40 lines for one
/// program.
/// </summary>
internal static class ProgramSummary
{
    private const int MethodsShown = 10;
    private const int MinMethods = 3;
    private const int PartsShown = 6;
    private const int TypesShown = 5;
    private const int HeadlineFindings = 3;

    /// <summary>40 lines of a screen, minus the line that names the page.</summary>
    private const int MaxLines = 39;
    private const int MinFindingLines = 6;
    private const int MaxLineLength = 100;

    /// <summary>Maximum length of a method's name in a sentence.</summary>
    internal const int MaxNameLength = 50;

    /// <summary>Whether the input consists of programs without runs, and stacks were recorded.</summary>
    public static bool IsFor(RunReading read) =>
        read.Flames is not null && read.Result.Rows.Count > 0 && read.Result.Runs.All(run => run.Delimiter == RunDelimiter.WholeProcess);

    /// <summary>Replaces the rows of the table report with summaries; CSV and JSON keep the rows.</summary>
    /// <param name="table">The table.</param>
    /// <param name="read">The runs, with their stacks.</param>
    /// <param name="justMyCode">Whether the time of platform code counts for the program's method that called it.</param>
    public static Report InPlaceOf(Report table, RunReading read, bool justMyCode)
    {
        var flames = read.Flames?.Result(int.MaxValue);
        var folder = read.Input.Paths.Count == 1 ? read.Input.Paths[0] : "FOLDER";
        var header = HeaderLines.OfProgram(table).SelectMany(line => WrappedText.Lines(line, MaxLineLength)).ToList();
        List<string> closing =
        [
            .. table.Closing,
            .. WrappedText.Lines(
                $"More: esp-analyze cpu {folder} --tree (calls), {(flames?.Trees.Any(tree => tree.Lines.Count > 0) == true ? "source (lines), " : "")}alloc, gc, waits, {(read.Requests is { AllRows.Count: > 0 } ? "requests, " : "")}locks --by method, exceptions, jit (events), findings, table (all measures)",
                MaxLineLength
            ),
        ];
        List<Section> sections;
        int room;
        var methods = MethodsShown;
        do
        {
            sections = [.. read.Result.Rows.Select(row => Of(row, read, flames, methods, justMyCode))];
            room =
                MaxLines
                - header.Count
                - closing.Count
                - sections.Sum(section =>
                    1
                    + section.Lines.Count
                    + (section.Texts.Count > 0 ? TableLayout.Fit(section, MaxLineLength).HeaderLines + section.Texts.Count : 0)
                );
        } while (room < MinFindingLines && --methods >= MinMethods);
        return table with
        {
            Header = header,
            Sections = [.. sections, .. table.Sections.Select(section => section.Key == "rows" ? section.ForPrograms() : section)],
            Closing = [.. Findings(read.Result.Findings, folder, Math.Max(MinFindingLines, room)), .. closing],
            ListsFindings = false,
            IsFirstScreen = true,
        };
    }

    /// <summary>
    /// Findings with advice, as many as fit; the last line counts the rest. The first finding always appears, shortened if necessary.
    /// </summary>
    private static List<string> Findings(IReadOnlyList<Finding> findings, string folder, int room)
    {
        var lines = new List<string>();
        foreach (var (number, finding) in findings.Index())
        {
            List<string> next =
            [
                .. WrappedText.Lines($"{finding.Kind}: {finding.Sentence}.", MaxLineLength),
                .. finding.Advice.Length > 0 ? WrappedText.Lines($"  Fix: {finding.Advice}.", MaxLineLength, "    ") : [],
            ];
            var rest = number < findings.Count - 1 ? 1 : 0;
            if (lines.Count == 0 && next.Count > room - rest)
                next = [.. next.Take(room - rest - 1), next[room - rest - 1] + "…"];
            if (lines.Count > 0 && lines.Count + next.Count > room - rest)
                return
                [
                    .. lines,
                    string.Create(CultureInfo.InvariantCulture, $"{findings.Count - number} more: esp-analyze findings {folder}"),
                ];
            lines.AddRange(next);
        }

        return lines;
    }

    /// <summary>Headlines at the top of the page of programs: one per program, with the findings of all.</summary>
    /// <param name="read">The runs, with their stacks.</param>
    public static IReadOnlyList<Headline> Headlines(RunReading read)
    {
        var flames = read.Flames?.Result(int.MaxValue);
        List<Headline> headlines =
        [
            .. read.Result.Rows.Select(row => new Headline(
                Title(row, SampledMs(row, flames)),
                [.. Lines(row, read, flames, TreeOf(row, flames)).Select(line => line + ".")]
            )),
        ];
        if (read.Result.Findings.Count > 0)
            headlines.Add(
                new Headline(
                    "What stands out",
                    [
                        .. read
                            .Result.Findings.Take(HeadlineFindings)
                            .Select(finding => $"{char.ToUpperInvariant(finding.Sentence[0])}{finding.Sentence[1..]}."),
                    ]
                )
            );
        return headlines;
    }

    /// <summary>Tables of the programs' methods and HTTP requests.</summary>
    /// <param name="read">The runs, with their stacks.</param>
    public static IReadOnlyList<Section> Methods(RunReading read)
    {
        var flames = read.Flames?.Result(int.MaxValue);
        return
        [
            .. read.Result.Rows.SelectMany(row =>
                (IEnumerable<Section>)
                    [Methods(row), .. RequestSummary.Table(row.Key, read.Requests) is { } requests ? [requests] : (Section[])[]]
            ),
        ];

        Section Methods(SummaryRow row) =>
            TreeOf(row, flames) is { } tree
                ? MethodsOf(flames!, tree, Title(row, SampledMs(row, flames)), [], MethodsShown)
                : Section
                    .ForPeople(Title(row, null), Array.Empty<OwnMethod>(), Columns(null, null))
                    .With([$"CPU samples: {Column<Run>.NotRecorded}"]);
    }

    private static FlameTree? TreeOf(SummaryRow row, FlameSet? flames) =>
        flames?.Trees.FirstOrDefault(tree => tree.Runs == row.Key with { ObjectCount = 0 });

    /// <summary>CPU time of all samples in ms; null without samples.</summary>
    private static double? SampledMs(SummaryRow row, FlameSet? flames) =>
        TreeOf(row, flames) is { } tree ? flames!.ToMilliseconds(tree.Ticks) : null;

    private static Section Of(SummaryRow row, RunReading read, FlameSet? flames, int methods, bool justMyCode)
    {
        var tree = TreeOf(row, flames);
        var lines = Lines(row, read, flames, tree);
        var section = tree is null
            ? Section.ForPeople(Title(row, null), Array.Empty<OwnMethod>(), Columns(null, null)).With(lines)
            : MethodsOf(flames!, tree, Title(row, SampledMs(row, flames)), [.. lines, ""], methods, justMyCode);
        return section.With([.. section.Lines.SelectMany(line => WrappedText.Lines(line, MaxLineLength))]) with { IsCompact = true };
    }

    /// <summary>The most expensive methods of a program, below an explanatory line.</summary>
    private static Section MethodsOf(
        FlameSet flames,
        FlameTree tree,
        string title,
        IReadOnlyList<string> lines,
        int shown,
        bool justMyCode = true
    )
    {
        var methods = OwnMethods.Of(justMyCode ? flames.Frames : [.. flames.Frames.Select(frame => frame with { IsMine = true })], tree);
        var legend =
            !justMyCode ? "All methods and functions, each with its own time"
            : methods.Methods.Count == 0 ? "The stacks have no managed method of the program or its libraries"
            : $"Methods of the program and its libraries, each with the platform code it calls; {Percent(methods.TicksBelowNone, tree.Ticks)} of the CPU time has no such method on its stack";
        return Section.ForPeople(title, [.. methods.Methods.Take(shown)], Columns(flames, tree)).With([.. lines, legend]);
    }

    private static List<string> Lines(SummaryRow row, RunReading read, FlameSet? flames, FlameTree? tree)
    {
        var lines = new List<string>();
        if (flames is not null && tree is not null)
        {
            lines.Add(
                $"CPU time by cause: {Parts(tree, node => node.Cause < 0 ? "program and libraries" : CauseCatalog.All[node.Cause].Group)}"
            );
            lines.Add($"CPU time by module: {Parts(tree, node => flames.Frames[node.Frame].Module)}");
        }
        else
        {
            lines.Add($"CPU samples: {Column<Run>.NotRecorded}");
        }

        lines.AddRange(WaitSummary.Lines(row.Key, read.Waits));
        lines.AddRange(RequestSummary.Lines(row.Key, read.Requests));
        lines.Add(Gc(row));
        lines.Add(Allocated(row, AllocationShares.Of(read.Allocations, read.AllocationsByOwn, row.Key)));
        lines.Add(string.Join("; ", Events(row)));
        return lines;
    }

    private static string Title(SummaryRow row, double? sampledMs)
    {
        var (wallMs, processes) = (
            row.WallTotalMs ?? 0,
            row.Runs == 1 ? "" : FormattableString.Invariant($" ({Plural.Of(row.Runs, "process")}, times summed)")
        );
        var cpu =
            row.CpuMs is { } ms ? string.Create(CultureInfo.InvariantCulture, $"{ms:0} ms, {ms / wallMs * 100:0} % of one processor")
            : sampledMs is { } sampled
                ? string.Create(CultureInfo.InvariantCulture, $"by samples {sampled:0} ms, {sampled / wallMs * 100:0} % of one processor")
            : Column<Run>.NotRecorded;
        return $"{row.Key.Serializer}{(row.Key.Runtime.Length > 0 ? $" on {row.Key.Runtime}" : "")}{processes}: {Number(wallMs / 1e3, "0.00")} s, CPU time {cpu}";
    }

    private static string Gc(SummaryRow row) =>
        row is { Gcs: { } gcs, PauseTotalMs: { } pause, PausePercent: { } percent } && GcMeasures.MaxPause.ValueOf(row) is { } max
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"GCs: {gcs.Gen0} of generation 0, {gcs.Gen1} of 1, {gcs.Gen2} of 2; pauses {pause:0.0} ms, {percent:0.0} % of the time, longest {max:0.0} ms"
            )
            : $"GCs: {Column<Run>.NotRecorded}";

    private static IEnumerable<string> Events(SummaryRow row)
    {
        yield return row is { JitMethods: { } methods, JitMs: { } time }
            ? string.Create(CultureInfo.InvariantCulture, $"JIT: {Plural.Of(methods, "method")}, {time:0.0} ms")
            : $"JIT: {Column<Run>.NotRecorded}";
        yield return row.Exceptions is { } exceptions
            ? string.Create(CultureInfo.InvariantCulture, $"exceptions: {exceptions}")
            : $"exceptions: {Column<Run>.NotRecorded}";
        yield return row is { Contentions: { } waits, ContentionMs: { } waited }
            ? string.Create(CultureInfo.InvariantCulture, $"waits for locks: {waits}, {waited:0.0} ms")
            : $"waits for locks: {Column<Run>.NotRecorded}";
    }

    /// <summary>Line on allocations: amount, types, and the program's methods that allocate.</summary>
    private static string Allocated(SummaryRow row, AllocationShares? shares)
    {
        if (row.AllocatedBytes is not { } bytes)
            return $"Allocated: {Column<Run>.NotRecorded}";
        var rate = row.WallTotalMs > 0 ? $", {Number(bytes / 1e3 / row.WallTotalMs.Value, "0.0")} MB/s" : "";
        var types = shares?.Types.Take(TypesShown).Where(type => type.Percent >= 1).Select(AllocationShares.Format).ToList() ?? [];
        var methods =
            shares
                ?.Methods.Take(1)
                .Select(method =>
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"; {method.Percent:0} % in {ShortTexts.Method(method.Name, MaxNameLength)}"
                    )
                )
                .ToList()
            ?? [];
        return $"Allocated: {Number(bytes / 1e6, "0.0")} MB{rate}{string.Concat(types.Select((type, index) => (index == 0 ? "; " : ", ") + type))}{string.Concat(methods)}";
    }

    private static List<Column<OwnMethod>> Columns(FlameSet? flames, FlameTree? tree) =>
        [
            new("method", "Method", method => method.Name) { Shorten = ShortTexts.Method },
            new("module", "Module", method => method.Module) { LeftOutFirst = 3 },
            new("line", "Mostly at", method => method.Hottest is var (line, ticks) ? $"{line} ({Percent(ticks, method.Ticks)})" : null)
            {
                LeftOutFirst = 1,
                ShownWith = method => method.Hottest is not null,
                Absent = _ => Column<OwnMethod>.NotApplicable,
            },
            new("cpuMs", "ms", method => flames!.ToMilliseconds(method.Ticks), "0.0"),
            new("percent", "%", method => 100.0 * method.Ticks / Math.Max(1, tree!.Ticks), "0.0"),
            new("samples", "Samples", method => method.Samples, "0") { LeftOutFirst = 2 },
            new("inclusiveCpuMs", "Incl. ms", method => flames!.ToMilliseconds(method.InclusiveTicks), "0.0"),
        ];

    /// <summary>The largest parts of the CPU time with their shares.</summary>
    private static string Parts(FlameTree tree, Func<FlameNode, string> part)
    {
        var parts = tree
            .Nodes.Where(node => node.Ticks > 0)
            .GroupBy(part)
            .Select(group => (Name: group.Key.Length > 0 ? group.Key : "unknown", Ticks: group.Sum(node => node.Ticks)))
            .OrderByDescending(item => item.Ticks)
            .ToList();
        var rest = parts.Skip(PartsShown).Sum(item => item.Ticks);
        return string.Join(
            ", ",
            parts
                .Take(PartsShown)
                .Append((Name: "others", Ticks: rest))
                .Where(item => item.Ticks * 200 >= tree.Ticks)
                .Select(item => $"{item.Name} {Percent(item.Ticks, tree.Ticks)}")
        );
    }

    private static string Percent(long ticks, long all) => Number(100.0 * ticks / Math.Max(1, all), "0") + " %";

    private static string Number(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);
}
