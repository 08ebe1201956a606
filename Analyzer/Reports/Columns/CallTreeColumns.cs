using EtwSerializerProfiler.Analysis.Cpu;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the call tree. docs/metrics.md defines each column; a test compares both.</summary>
public static class CallTreeColumns
{
    /// <summary>Columns for a grouping.</summary>
    public static IReadOnlyList<Column<CallTreeRow>> Of(CpuGrouping grouping) => Of(grouping, withWaits: false);

    /// <inheritdoc cref="Of(CpuGrouping)"/>
    /// <param name="grouping">Grouping of the nodes.</param>
    /// <param name="withWaits">Whether the tree includes waits.</param>
    public static IReadOnlyList<Column<CallTreeRow>> Of(CpuGrouping grouping, bool withWaits)
    {
        IReadOnlyList<Column<CallTreeRow>> names = grouping switch
        {
            CpuGrouping.Method =>
            [
                new("method", null, row => row.Name),
                new("module", null, row => row.Module),
                new("namespace", null, row => row.Namespace),
            ],
            CpuGrouping.Line =>
            [
                new("method", null, row => row.Name),
                new("module", null, row => row.Module),
                new("file", null, row => row.Line?.File),
                new("line", null, row => row.Line?.Line, "0"),
            ],
            CpuGrouping.Module => [new("module", null, row => row.Name)],
            CpuGrouping.Namespace => [new("namespace", null, row => row.Name)],
            _ =>
            [
                new("thread", null, row => row.ThreadId is null ? null : row.Name),
                new("threadId", null, row => row.ThreadId, "0"),
                new("method", null, row => row.ThreadId is null ? row.Name : null),
                new("module", null, row => row.Module),
                new("namespace", null, row => row.Namespace),
            ],
        };
        IReadOnlyList<Column<CallTreeRow>> inlined = grouping is CpuGrouping.Method or CpuGrouping.Thread or CpuGrouping.Line
            ? [new("isInlined", null, row => row.IsInlined)]
            : [];
        return
        [
            new("depth", null, row => row.Depth, "0"),
            .. names,
            new("codeKind", null, row => row.Kind?.ToString()),
            .. inlined,
            new("inclusivePercent", "Incl. %", row => row.InclusivePercent, "0.00"),
            new("inclusiveCpuMs", "Incl. CPU ms", row => row.InclusiveCpuMs, "0.000"),
            .. withWaits
                ?
                [
                    new("inclusiveWaitMs", "Incl. wait ms", row => row.InclusiveWaitMs, "0.000"),
                    new("waitMs", null, row => row.WaitMs, "0.000"),
                ]
                : (Column<CallTreeRow>[])[],
            new("inclusiveSamples", "Incl. samples", row => row.InclusiveSamples, "0"),
            new("percent", withWaits ? "Own %" : "CPU %", row => row.Percent, "0.00"),
            new("cpuMs", null, row => row.CpuMs, "0.000"),
            new("samples", "Samples", row => row.Samples, "0"),
        ];
    }

    /// <summary>Columns of text output, with indented names after the numbers.</summary>
    public static IReadOnlyList<Column<CallTreeRow>> ForPeople(CpuGrouping grouping, bool withWaits = false) =>
        [.. Of(grouping, withWaits), new("", "Call tree", Indented)];

    private static string Indented(CallTreeRow row) =>
        new string(' ', 2 * row.Depth) + row.Name + (row.IsInlined ? CpuColumns.InlinedMark : "") + Place(row);

    private static string Place(CallTreeRow row)
    {
        if (row.ThreadId is { } thread)
            return FormattableString.Invariant($" ({thread})");
        if (row.Line is { } line)
            return $" {line}";
        return row.Module.Length > 0 && !row.Name.StartsWith(row.Module, StringComparison.Ordinal) ? $" [{row.Module.Trim('[', ']')}]" : "";
    }
}
