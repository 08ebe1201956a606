using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Dumps;
using EtwSerializerProfiler.Dumps.Exceptions;
using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Heap;
using EtwSerializerProfiler.Dumps.Locks;
using EtwSerializerProfiler.Dumps.Modules;
using EtwSerializerProfiler.Dumps.Reports;
using EtwSerializerProfiler.Dumps.Roots;
using EtwSerializerProfiler.Dumps.Stacks;
using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The form of the report on a dump; tests/Dumps.Tests reads real ones.</summary>
public sealed class DumpReportTests
{
    private static readonly DumpFrame s_sleep = new("System.Threading.Thread.Sleep(Int32)", "System.Private.CoreLib.dll", null, 0x7F00);
    private static readonly DumpFrame s_parse = new("Books.Reader.Parse(System.String)", "Books.dll", null, 0x7F10);
    private static readonly DumpFrame s_entry = new(
        "EtwSerializerProfiler.Workload.Serializers.NewtonsoftJson`1<Books.Book>.Read(System.IO.Stream)",
        "esp-workload.dll",
        "Deserialize Newtonsoft.Json",
        0x7F20
    )
    {
        IsEntry = true,
    };

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Markdown)]
    [InlineData(ReportFormat.Csv)]
    [InlineData(ReportFormat.Json)]
    public void All_sections(ReportFormat format)
    {
        using var output = new StringWriter();
        ReportPrinter.Write(
            DumpReport.Build(
                Result(),
                new DumpView(new DumpQuery(DumpSections.All), format is ReportFormat.Csv or ReportFormat.Json ? null : 1, Stacks: true)
            ),
            format,
            output
        );

        Snapshot.Matches("Reports.Tests", $"dump-{format}".ToLowerInvariant(), output.ToString());
    }

    [Fact]
    public void What_was_not_read_is_null_and_a_warning()
    {
        using var output = new StringWriter();
        var result = new DumpResult("x.dmp", Result().Facts)
        {
            Findings = [new Finding(FindingKind.Warning, "dump-section", "heap: not read: damaged")],
        };
        ReportPrinter.Write(
            DumpReport.Build(result, new DumpView(new DumpQuery(DumpSections.Heap), null, Stacks: false)),
            ReportFormat.Json,
            output
        );

        Assert.Contains("\"heapObjects\": null", output.ToString(), StringComparison.Ordinal);
        Assert.Contains("heap: not read: damaged", output.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("\"types\"", output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData]
    [InlineData("a", "b", "c")]
    [InlineData("a", "b", "--threads")]
    [InlineData("a", "--format", "csv", "--threads", "--heap")]
    [InlineData("a", "--time-limit", "0")]
    [InlineData("a", "--dac", "/no/such/file")]
    public void Wrong_usage_is_2(params string[] arguments) => Assert.Equal(2, AnalyzeTool.Run(["dump", .. arguments]).Code);

    private static DumpResult Result()
    {
        var inner = new ExceptionObject(0x10, "System.FormatException", "no number | at all", unchecked((int)0x80131537));
        var outer = new ExceptionObject(0x20, "System.InvalidOperationException", "outer", unchecked((int)0x80131509))
        {
            Inner = inner,
            Frames = [s_parse],
        };
        var thrower = new DumpThread(7, 4711)
        {
            Name = "thrower",
            Frames = [s_sleep, new("System.Runtime.EH.DispatchEx()", "System.Private.CoreLib.dll", null, 0x7F08), s_parse, s_entry],
            Exception = outer,
        };
        var waiter = new DumpThread(8, 4712) { Frames = [s_sleep], IsCooperative = true };
        var pool = new DumpThread(9, 4713) { Role = "thread pool", Frames = [s_sleep] };
        return new DumpResult(
            "x.dmp",
            new DumpFacts(
                DumpKind.ElfCore,
                125_800_000,
                4700,
                "Linux",
                "X64",
                "CoreCLR 10.0.12",
                "/dotnet/libcoreclr.so",
                IsServerCollector: false
            )
        )
        {
            Exceptions =
            [
                new ExceptionGroup(outer, 1, thrower),
                new ExceptionGroup(new ExceptionObject(0x30, "KnownException", null, null) { Frames = [s_parse] }, 50, null),
            ],
            Threads = [thrower, waiter, pool],
            Stacks = StackGroup.Of([thrower, waiter, pool]),
            Heap = new HeapResult(
                [
                    new TypeRow("Book", "Books.dll", [0, 10, 90, 0, 0, 0], [0, 400, 3600, 0, 0, 0]),
                    new TypeRow("System.Byte[]", "System.Private.CoreLib.dll", [0, 0, 0, 1, 0, 0], [0, 0, 0, 200_024, 0, 0]),
                ],
                [
                    new GenerationRow(HeapGeneration.Gen2, 1, 4_194_304, 90, 3600, 2, 400),
                    new GenerationRow(HeapGeneration.Loh, 1, null, 1, 200_024, 0, 0),
                ]
            )
            {
                Pinned = [new PinnedRow("System.Byte[]", 2, 1, 200_024, "LOH")],
                Finalizers = [new FinalizerRow("Books.Shelf", 7, 5, 120)],
            },
            Locks =
            [
                new HeldLock(0x40, "System.Object", LockKind.Monitor, thrower, 2, 1) { Waiting = [waiter] },
                new HeldLock(0x50, "System.Threading.Lock", LockKind.Lock, null, 1, null),
            ],
            Roots = new RootResult(
                [
                    new RootRow("Book", 4000, 5, "static field Books.Shelf.s_all", "Book[] → Book × 3", 4),
                    new RootRow("System.Byte[]", 200_024, 1, null, null, null),
                ],
                IsComplete: true,
                101
            ),
            Modules =
            [
                new DumpModule("Books.dll", "/app/Books.dll", new Version(1, 2, 0, 0), Guid.Empty, 35_000, IsDynamic: false),
                new DumpModule("Made", "", null, null, null, IsDynamic: true),
            ],
            Findings = [new Finding(FindingKind.Warning, "dump-heap", "the heap has 1 place without an object")],
        };
    }
}
