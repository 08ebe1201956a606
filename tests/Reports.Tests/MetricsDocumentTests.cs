using System.Text.RegularExpressions;
using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Dumps.Reports;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Stores.Reports;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Reports.Tests;

public sealed class MetricsDocumentTests
{
    private static readonly string s_document =
        File.ReadAllText(Path.Combine(TestFiles.Root, "docs", "metrics.md"))
        + File.ReadAllText(Path.Combine(TestFiles.Root, "docs", "attribution.md"));

    private static readonly IReadOnlyList<Column<CpuRow>> s_cpu = [.. Enum.GetValues<CpuGrouping>().SelectMany(CpuColumns.Of)];

    private static readonly IReadOnlyList<Column<EventCount>> s_contents = ContentsColumns.Of(0, 0, default, byProcess: true);

    private static readonly IReadOnlyList<Column<CallTreeRow>> s_tree =
    [
        .. Enum.GetValues<CpuGrouping>()
            .SelectMany(grouping => CallTreeColumns.ForPeople(grouping, withWaits: true).Concat(CallTreeColumns.ForPeople(grouping))),
    ];

    /// <summary>Header and key of the columns of the reports on events.</summary>
    private static readonly IReadOnlyList<(string? Header, string Key)> s_events =
    [
        .. Enum.GetValues<AllocationGrouping>().SelectMany(AllocationColumns.Of).Select(column => (column.Header, column.Key)),
        .. ExceptionColumns.Every.Select(column => (column.Header, column.Key)),
        .. ExceptionColumns.Stacks.Select(column => (column.Header, column.Key)),
        .. LockColumns.All.Select(column => (column.Header, column.Key)),
        .. LockColumns.Sites(LockGrouping.Line).Select(column => (column.Header, column.Key)),
        .. JitColumns.All.Select(column => (column.Header, column.Key)),
        .. Enum.GetValues<WaitGrouping>().SelectMany(WaitColumns.Of).Select(column => (column.Header, column.Key)),
        .. WaitColumns.Threads.Select(column => (column.Header, column.Key)),
        .. RequestColumns.All.Select(column => (column.Header, column.Key)),
        .. GcColumns.All.Select(column => (column.Header, column.Key)),
        .. GcColumns.Overlaps.Select(column => (column.Header, column.Key)),
        .. Enum.GetValues<GcGrouping>().SelectMany(TriggerColumns.Of).Select(column => (column.Header, column.Key)),
        .. FirstCallColumns.All.Concat(FirstCallColumns.Before).Select(column => (column.Header, column.Key)),
        .. FirstCallColumns.Assemblies.Select(column => (column.Header, column.Key)),
        .. DiffColumns.All.Concat(DiffColumns.OfMetrics).Select(column => (column.Header, column.Key)),
        .. DiffColumns.Causes.Concat(DiffColumns.Methods).Select(column => (column.Header, column.Key)),
        .. DiffColumns.Gcs.Concat(DiffColumns.Without("")).Select(column => (column.Header, column.Key)),
        .. DiffColumns.Allocations.Select(column => (column.Header, column.Key)),
        .. DiffColumns.OfLine.Select(column => (column.Header, column.Key)),
        .. DiffColumns.Unmatched.Select(column => (column.Header, column.Key)),
        .. GateColumns.All.Select(column => (column.Header, column.Key)),
        .. TrendColumns.All.Select(column => (column.Header, column.Key)),
        .. DumpColumns.All.Select(column => (column.Header, column.Key)),
        .. AssemblyColumns.Files.Select(column => (column.Header, column.Key)),
        .. AssemblyColumns.References.Select(column => (column.Header, column.Key)),
        .. DumpedProcessColumns.ExceptionsForPeople.Select(column => (column.Header, column.Key)),
        .. DumpedProcessColumns.Threads.Select(column => (column.Header, column.Key)),
        .. DumpedProcessColumns.Stacks.Select(column => (column.Header, column.Key)),
        .. DumpedProcessColumns.Locks.Select(column => (column.Header, column.Key)),
        .. DumpedProcessColumns.Roots.Select(column => (column.Header, column.Key)),
        .. DumpedProcessColumns.Modules.Select(column => (column.Header, column.Key)),
        .. HeapColumns.Types.Select(column => (column.Header, column.Key)),
        .. HeapColumns.Generations.Select(column => (column.Header, column.Key)),
        .. HeapColumns.Pinned.Select(column => (column.Header, column.Key)),
        .. HeapColumns.Finalizers.Select(column => (column.Header, column.Key)),
        .. HeapColumns.Diff.Select(column => (column.Header, column.Key)),
        .. QueryColumns.Names.Select(column => (column.Header, column.Key)),
        .. SourceReport.InstructionColumns.Select(column => (column.Header, column.Key)),
        .. GrowthColumns.All.Select(column => (column.Header, column.Key)),
        .. FindingColumns.Csv.Select(column => (column.Header, column.Key)),
        .. FindingColumns.Evidence.Select(column => (column.Header, "")),
        .. FindingColumns.Locations.Select(column => (column.Header, column.Key)),
    ];

    private static readonly string s_exports = File.ReadAllText(Path.Combine(TestFiles.Root, "docs", "exports.md"));

    public static TheoryData<string> Headers =>
        [
            .. SummaryColumns
                .Main.Concat(SummaryColumns.FirstUse)
                .Concat(SummaryColumns.Processor)
                .Select(column => column.Header)
                .Concat(RunColumns.All.Concat(RunColumns.Processor).Select(column => column.Header))
                .Concat(s_cpu.Select(column => column.Header))
                .Concat(s_tree.Select(column => column.Header))
                .Concat(s_contents.Select(column => column.Header))
                .Concat(s_events.Select(column => column.Header))
                .Concat(CauseColumns.Shown.Select(column => column.Header))
                .OfType<string>()
                .Distinct(),
        ];

    public static TheoryData<string> Keys =>
        [
            .. SummaryColumns
                .Main.Select(column => column.Key)
                .Concat(RunColumns.All.Select(column => column.Key))
                .Concat(s_cpu.Select(column => column.Key))
                .Concat(s_tree.Select(column => column.Key).Where(key => key.Length > 0))
                .Concat(s_contents.Select(column => column.Key))
                .Concat(s_events.Select(column => column.Key).Where(key => key.Length > 0))
                .Concat(CauseColumns.All.Select(column => column.Key))
                .Concat(CauseColumns.AllOfRun.Select(column => column.Key))
                .Distinct(),
        ];

    public static TheoryData<string> ExportKeys => [.. ProfileColumns.All.Select(column => column.Key)];

    /// <summary>Codes of all findings, from the rules' sources: a rule has its code where it creates the finding.</summary>
    public static TheoryData<string> Codes =>
        [
            .. ((string[])["Analysis", "Dumps"])
                .SelectMany(library =>
                    Directory.EnumerateFiles(Path.Combine(TestFiles.Root, "Analyzer", library), "*.cs", SearchOption.AllDirectories)
                )
                .Select(File.ReadAllText)
                .SelectMany(source =>
                    Regex
                        .Matches(source, """(?:FindingKind\.\w+,\s*|(?:Hint|Warning)\(\s*)"([a-z0-9]+(?:-[a-z0-9]+)*)",""")
                        .Select(match => match.Groups[1].Value)
                )
                .Distinct()
                .Order(),
        ];

    [Theory]
    [MemberData(nameof(Codes))]
    public void Every_code_of_a_finding_has_a_row_in_the_document(string code) =>
        Assert.Matches(new Regex($@"(?m)^\| (?:[a-z0-9-]+, )*{Regex.Escape(code)}(?:, [a-z0-9-]+)* \|"), s_document);

    [Theory]
    [MemberData(nameof(Headers))]
    public void Every_header_has_a_row_in_the_document(string header) =>
        Assert.Matches(new Regex($@"(?m)^\| {Regex.Escape(header)} \|"), s_document);

    [Theory]
    [MemberData(nameof(ExportKeys))]
    public void Every_field_of_exported_rows_is_named_in_its_document(string key) =>
        Assert.Contains($"`{key}`", s_exports, StringComparison.Ordinal);

    [Theory]
    [MemberData(nameof(Keys))]
    public void Every_field_is_named_in_the_document(string key) => Assert.Contains($"`{key}`", s_document, StringComparison.Ordinal);
}
