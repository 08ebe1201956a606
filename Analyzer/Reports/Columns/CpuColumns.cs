using EtwSerializerProfiler.Analysis.Cpu;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of CPU samples. docs/metrics.md defines each column; a test compares both.</summary>
public static class CpuColumns
{
    /// <summary>Suffix of inlined methods' names in text output.</summary>
    internal const string InlinedMark = " [inlined]";

    /// <summary>Columns for a grouping, for CSV and JSON.</summary>
    public static IReadOnlyList<Column<CpuRow>> Of(CpuGrouping grouping)
    {
        IReadOnlyList<Column<CpuRow>> head = grouping switch
        {
            CpuGrouping.Method =>
            [
                new("method", "Method", row => row.Name),
                new("module", "Module", row => row.Module),
                new("namespace", null, row => row.Namespace),
                new("codeKind", "Code", row => row.Kind?.ToString()) { Absent = _ => Column<CpuRow>.NotApplicable },
                new("isInlined", null, row => row.IsInlined),
                new("tiers", "Tiers", row => row.Tiers),
            ],
            CpuGrouping.Line =>
            [
                new("sourceLine", "Line", row => row.Line?.ToString()),
                new("file", null, row => row.Line?.File),
                new("line", null, row => row.Line?.Line, "0"),
                new("method", "Method", row => row.Name),
                new("module", null, row => row.Module),
                new("isInlined", null, row => row.IsInlined),
            ],
            CpuGrouping.Module => [new("module", "Module", row => row.Name), new("codeKind", "Code", row => row.Kind?.ToString())],
            CpuGrouping.Namespace => [new("namespace", "Namespace", row => row.Name), new("codeKind", "Code", row => row.Kind?.ToString())],
            CpuGrouping.Tag => [new("tag", "Tag", row => row.Name)],
            _ => [new("thread", "Thread", row => row.Name), new("threadId", "Thread id", row => row.ThreadId, "0")],
        };
        var own = new Column<CpuRow>[]
        {
            new("samples", "Samples", row => row.Samples, "0"),
            new("cpuMs", "CPU ms", row => row.CpuMs, "0.000"),
            new("percent", "CPU %", row => row.Percent, "0.00"),
        };
        var inclusive = new Column<CpuRow>[]
        {
            new("inclusiveSamples", "Incl. samples", row => row.InclusiveSamples, "0"),
            new("inclusiveCpuMs", "Incl. CPU ms", row => row.InclusiveCpuMs, "0.000"),
            new("inclusivePercent", "Incl. %", row => row.InclusivePercent, "0.00"),
        };
        Column<CpuRow> kernel = new("kernelSamples", "Kernel samples", row => row.KernelSamples, "0");
        head = [.. head, RunsColumns.Runtime<CpuRow>(row => row.Runtime, row => row.Runtime.Length > 0)];
        return grouping switch
        {
            CpuGrouping.Thread or CpuGrouping.Tag => [.. head, .. own, kernel],
            CpuGrouping.Line => [.. head, .. own, .. inclusive, kernel, .. CauseColumns.OfLine<CpuRow>(row => row.Causes)],
            _ => [.. head, .. own, .. inclusive, kernel],
        };
    }

    /// <summary>Columns for text output, which mark inlined methods and name the causes of lines.</summary>
    public static IReadOnlyList<Column<CpuRow>> ForPeople(CpuGrouping grouping)
    {
        var columns = Of(grouping)
            .Select(column =>
                column.Key switch
                {
                    "method" => column with
                    {
                        Value = row => row.IsInlined ? row.Name + InlinedMark : row.Name,
                        Shorten = grouping == CpuGrouping.Line ? ShortTexts.Method : null,
                    },
                    "kernelSamples" when grouping == CpuGrouping.Line => column with { LeftOutFirst = 3 },
                    "inclusiveSamples" when grouping == CpuGrouping.Line => column with { LeftOutFirst = 2 },
                    "samples" when grouping == CpuGrouping.Line => column with { LeftOutFirst = 1 },
                    _ => column,
                }
            );
        return grouping == CpuGrouping.Line ? [.. columns, CauseColumns.LineWords<CpuRow>(row => row.Causes)] : [.. columns];
    }
}
