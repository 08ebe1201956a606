using System.Globalization;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports;

/// <summary>Lines below a table of CPU samples: their number and quality.</summary>
internal static class CpuSummary
{
    /// <summary>Lines for text output.</summary>
    public static IReadOnlyList<string> Lines(CpuResult cpu)
    {
        var lines = new List<string>
        {
            string.Create(
                CultureInfo.InvariantCulture,
                $"CPU samples{Processes(cpu)} in {Plural.Of(cpu.Runs, "run")}: {cpu.Samples} ({SampledTime.Text(cpu.CpuMs)}), in kernel mode {Kernel(cpu)}; leaf frames named: managed {Percent(cpu.NamedManagedPercent)} of {cpu.ManagedLeaves} (stubs of known kind {Percent(cpu.StubPercent)} more), all {Percent(cpu.Percent(cpu.NamedLeaves))}{Lined(cpu)}; inlined frames: {Inlined(cpu)}; callers recovered: {Recovered(cpu)}; broken stacks {Percent(cpu.Percent(cpu.BrokenStacks))}"
            ),
        };
        if (cpu.Tree is null && cpu.Rows.Count < cpu.RowsTotal)
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"Rows: {cpu.Rows.Count} of {cpu.RowsTotal}; --top shows more"));
        if (cpu.Tree is { } tree && tree.Count < cpu.RowsTotal)
            lines.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"Nodes: {tree.Count} of {cpu.RowsTotal}; --min-percent, --depth and --top show more"
                )
            );
        if (cpu.WaitMs is { } waitMs)
            lines.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"Waits in the tree: {waitMs:0.000} ms, summed over threads; {cpu.IdleMs:0.000} ms of idle waits for work and the time of ready threads are left out"
                )
            );
        if (cpu is { FoldedMs: { } folded, MsWithoutMine: { } without })
            lines.Add(
                $"Just my code: your methods include {SampledTime.Text(folded)} of platform code that they called; stacks without your methods: {SampledTime.Text(without)}"
            );
        if (cpu.CutSamples > 0)
            lines.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"Stacks deeper than {CallTreeQuery.Deepest} levels: {cpu.CutSamples}; deeper frames count as the last level's own"
                )
            );
        return lines;
    }

    /// <summary>Values for CSV and JSON.</summary>
    public static IReadOnlyList<(string Key, object? Value)> Values(CpuResult cpu) =>
        [
            ("groupedBy", cpu.Query.Grouping.ToString()),
            ("orderedBy", cpu.Query.ByInclusive || cpu.Tree is not null ? "inclusiveCpuMs" : "cpuMs"),
            ("processes", string.Join(", ", cpu.Processes)),
            ("runs", cpu.Runs),
            ("rowsTotal", cpu.RowsTotal),
            ("samples", cpu.Samples),
            ("cpuMs", cpu.CpuMs),
            ("kernelSamples", cpu.KernelSamples),
            ("kernelPercent", cpu.Percent(cpu.KernelSamples)),
            ("managedLeafSamples", cpu.ManagedLeaves),
            ("namedManagedLeafPercent", cpu.NamedManagedPercent),
            ("stubLeafPercent", cpu.StubPercent),
            ("linePercent", cpu.LinePercent),
            ("namedLeafPercent", cpu.Percent(cpu.NamedLeaves)),
            ("brokenStackPercent", cpu.Percent(cpu.BrokenStacks)),
            ("expandedSamplePercent", cpu.Percent(cpu.ExpandedStacks)),
            ("unexpandedFrames", cpu.UnexpandedFrames),
            ("inlinedMethods", cpu.InlinedMethods),
            ("namedInlinedMethodPercent", cpu.NamedInlinedPercent),
            ("recoveredCallersPercent", cpu.Percent(cpu.RecoveredStacks)),
            ("waitMs", cpu.WaitMs),
            ("idleMs", cpu.IdleMs),
            ("foldedCpuMs", cpu.FoldedMs),
            ("cpuMsWithoutMyCode", cpu.MsWithoutMine),
            ("cutSamples", cpu.Tree is null ? null : cpu.CutSamples),
        ];

    /// <summary>The selected processes; empty without a selection.</summary>
    private static string Processes(CpuResult cpu) => cpu.Query.Process is null ? "" : $" of {string.Join(", ", cpu.Processes)}";

    private static string Kernel(CpuResult cpu) =>
        cpu.KernelSamples is null ? Column<CpuRow>.NotRecorded : Percent(cpu.Percent(cpu.KernelSamples));

    private static string Inlined(CpuResult cpu) =>
        cpu.ExpandedStacks is null
            ? Column<CpuRow>.NotRecorded
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{Percent(cpu.Percent(cpu.ExpandedStacks))} of samples expanded, {Plural.Of(cpu.UnexpandedFrames ?? 0, "frame")} unexpanded"
            );

    /// <summary>Share of managed leaf frames with a line; empty when lines were not requested.</summary>
    private static string Lined(CpuResult cpu) =>
        cpu.LeavesWithLine is null ? "" : $", with a line {Percent(cpu.LinePercent)} of the managed ones";

    private static string Recovered(CpuResult cpu) =>
        cpu.RecoveredStacks is null ? Column<CpuRow>.NotRecorded : Percent(cpu.Percent(cpu.RecoveredStacks));

    private static string Percent(double? value) =>
        value is { } percent ? percent.ToString("0.0", CultureInfo.InvariantCulture) + " %" : Column<CpuRow>.NotApplicable;
}
