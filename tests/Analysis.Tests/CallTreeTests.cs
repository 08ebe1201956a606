using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Call trees of made-up samples, one line per node: indented name, samples inclusive/own.</summary>
public sealed class CallTreeTests
{
    private const ulong A = 0x1000;
    private const ulong B = 0x2000;
    private const ulong C = 0x3000;
    private const ulong Libc = 0x7000_0010;
    private const ulong Native = 0x7100_0010;

    private static SyntheticTrace Trace() =>
        new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Module("/app/lib.dll")
            .Code(1, A, "T", "A", 1)
            .Code(1, B, "T", "B", 2)
            .Code(1, C, "T", "C", 3)
            .Map(1, 0x7000_0000, "/lib/libc.so.6")
            .Map(1, 0x7100_0000, "/lib/libnative.so")
            .Named(1, 1, "main")
            .Named(1, 9, "worker");

    [Fact]
    public void Paths_stand_under_their_callers_heaviest_first()
    {
        var trace = Trace()
            .Sample(1100, 1, 0, B + 8, A + 8, Libc)
            .Sample(1200, 1, 0, C + 8, A + 8, Libc)
            .Sample(1300, 1, 0, C + 16, A + 8, Libc)
            .Sample(1400, 1, 0, C + 8, B + 8, Libc)
            .Sample(1500, 1, 0, A + 8, Libc);

        Assert.Equal(["libc.so.6+? 5/0", "  T.A 4/1", "    T.C 2/2", "    T.B 1/1", "  T.B 1/0", "    T.C 1/1"], Lines(Analyze(trace)));
    }

    [Fact]
    public void Percent_and_ms_are_those_of_the_samples()
    {
        var rows = Analyze(Trace().Sample(1100, 1, 0, B + 8, A + 8, Libc).Sample(1200, 1, 0, A + 8, Libc)).Tree!;

        Assert.Equal(
            [(100.0, 2.0, 0.0), (100.0, 2.0, 50.0), (50.0, 1.0, 50.0)],
            rows.Select(row => (row.InclusivePercent, row.InclusiveCpuMs, row.Percent))
        );
        Assert.Equal(("T.B", "lib.dll", CodeKind.Managed, 2), (rows[2].Name, rows[2].Module, rows[2].Kind, rows[2].Depth));
    }

    [Fact]
    public void A_method_that_calls_itself_is_its_own_callee_and_code_without_names_one_step()
    {
        var trace = Trace().Sample(1100, 1, 0, A + 8, A + 16, Native, Native + 16, Native + 32, A + 24, Libc + 64, Libc);

        Assert.Equal(["libc.so.6+? 1/0", "  T.A 1/0", "    libnative.so+? 1/0", "      T.A 1/0", "        T.A 1/1"], Lines(Analyze(trace)));
    }

    [Fact]
    public void Stacks_without_their_callers_stand_apart()
    {
        var trace = Trace().Sample(1100, 1, 0, B + 8, A + 8, Libc).Sample(1200, 1, 0, B + 8, A + 8);

        Assert.Equal(
            ["[broken stack] 1/0", "  T.A 1/0", "    T.B 1/1", "libc.so.6+? 1/0", "  T.A 1/0", "    T.B 1/1"],
            Lines(Analyze(trace))
        );
    }

    [Fact]
    public void What_a_thread_does_that_collects_stands_below_its_own_code()
    {
        var trace = Trace()
            .Pause(1090, 1300)
            .Sample(1100, 1, 0, Native, B + 8, A + 8, Libc)
            .Sample(1200, 9, 0, Native, A + 8, Libc)
            .Sample(1250, 1, 0, Native)
            .Sample(1400, 1, 0, Native, B + 8, A + 8, Libc);

        Assert.Equal(
            [
                "libc.so.6+? 3/0",
                "  T.A 3/0",
                "    T.B 2/0",
                "      [garbage collection] 1/0",
                "        libnative.so+? 1/1",
                "      libnative.so+? 1/1",
                "    libnative.so+? 1/1",
                "[broken stack] 1/0",
                "  [garbage collection] 1/0",
                "    libnative.so+? 1/1",
            ],
            Lines(Analyze(trace))
        );
    }

    [Fact]
    public void By_thread_each_thread_has_its_own_tree()
    {
        var trace = Trace().Sample(1100, 1, 0, A + 8, Libc).Sample(1200, 9, 0, A + 8, Libc).Sample(1300, 9, 0, B + 8);

        Assert.Equal(
            [
                "worker 2/0",
                "  [broken stack] 1/0",
                "    T.B 1/1",
                "  libc.so.6+? 1/0",
                "    T.A 1/1",
                "main 1/0",
                "  libc.so.6+? 1/0",
                "    T.A 1/1",
            ],
            Lines(Analyze(trace, grouping: CpuGrouping.Thread))
        );
    }

    [Fact]
    public void By_module_neighbours_are_one_step() =>
        Assert.Equal(
            ["libc.so.6 1/0", "  lib.dll 1/0", "    libnative.so 1/1"],
            Lines(Analyze(Trace().Sample(1100, 1, 0, Native, B + 8, A + 8, Libc), grouping: CpuGrouping.Module))
        );

    [Fact]
    public void The_phantom_frame_below_replaced_code_is_not_a_caller()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Map(1, 0x7000_0000, "/lib/libc.so.6")
            .Code(1, A, "T", "Loop", 1, CodeTier.Tier0)
            .Code(2, B, "T", "Loop", 1, CodeTier.Tier1Osr)
            .Sample(1100, 1, 0, B + 8, A + 8, Libc);

        Assert.Equal(["libc.so.6+? 1/0", "  T.Loop 1/1"], Lines(Analyze(trace)));
    }

    [Fact]
    public void Share_levels_and_number_of_nodes_cut_the_tree_and_never_a_caller_of_what_is_shown()
    {
        var trace = Trace()
            .Sample(1100, 1, 0, C + 8, B + 8, A + 8, Libc)
            .Sample(1200, 1, 0, C + 8, B + 8, A + 8, Libc)
            .Sample(1300, 1, 0, C + 8, B + 8, A + 8, Libc)
            .Sample(1400, 1, 0, B + 8, Libc);

        Assert.Equal(
            ["libc.so.6+? 4/0", "  T.A 3/0", "    T.B 3/0", "      T.C 3/3"],
            Lines(Analyze(trace, new CallTreeQuery(50, 400, null)))
        );
        Assert.Equal(["libc.so.6+? 4/0", "  T.A 3/0", "  T.B 1/1"], Lines(Analyze(trace, new CallTreeQuery(0, 2, null))));
        Assert.Equal(["libc.so.6+? 4/0", "  T.A 3/0", "    T.B 3/0"], Lines(Analyze(trace, new CallTreeQuery(0, 400, 3))));
        Assert.Equal((5, 0L), (Analyze(trace, new CallTreeQuery(0, 400, 3)).RowsTotal, Analyze(trace).CutSamples));
    }

    [Fact]
    public void A_stack_deeper_than_the_tree_counts_at_its_last_level()
    {
        ulong[] frames = [C + 8, .. Enumerable.Range(0, 600).Select(level => level % 2 == 0 ? A + 8 : B + 8), Libc];
        var result = Analyze(Trace().Sample(1100, 1, 0, frames));

        Assert.Equal((CallTreeQuery.Deepest, 1L), (result.Tree!.Count, result.CutSamples));
        Assert.Equal((1L, 1L), (result.Tree[^1].Samples, result.Tree[^1].InclusiveSamples));
    }

    [Fact]
    public void Own_samples_of_all_nodes_are_all_samples()
    {
        var random = new Random(4711);
        var trace = Trace();
        ulong[] places = [A + 8, B + 8, C + 8, Native];
        for (var sample = 0; sample < 500; sample++)
            trace.Sample(
                1000 + sample,
                random.Next(1, 4),
                0,
                [.. Enumerable.Range(0, random.Next(1, 12)).Select(_ => places[random.Next(places.Length)]), Libc]
            );
        var tree = Analyze(trace).Tree!;

        Assert.Equal(500, tree.Sum(row => row.Samples));
        for (var at = 0; at < tree.Count; at++)
        {
            var callees = tree.Skip(at + 1).TakeWhile(row => row.Depth > tree[at].Depth).Where(row => row.Depth == tree[at].Depth + 1);
            Assert.Equal(tree[at].InclusiveSamples, tree[at].Samples + callees.Sum(row => row.InclusiveSamples));
        }
    }

    [Fact]
    public void Of_a_process_without_runs_counts_what_it_did_during_those_of_the_others()
    {
        // Two measured processes whose runs overlap: together 999 to 3501 µs.
        IReadOnlyList<TracedProcess> processes =
        [
            new(1, "first", "", [new SyntheticTrace().Run(1, 1000, 3000)], []),
            new(2, "second", "", [new SyntheticTrace().Run(1, 2000, 3500)], []),
            new(
                3,
                "third",
                "",
                [
                    new SyntheticTrace()
                        .Sample(900, 1, 0, A)
                        .Sample(1500, 1, 0, A)
                        .Sample(2500, 1, 0, A)
                        .Sample(3200, 1, 0, A)
                        .Sample(3600, 1, 0, A),
                ],
                []
            ),
        ];
        var runs = RunAnalysis.Run(processes, []).Runs;
        var result = CpuAnalysis.Run(
            processes,
            runs,
            new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null) { Process = "THIRD" },
            Files()
        );

        Assert.Equal((3L, 2), (result.Samples, result.Runs));
        Assert.Equal(["third 3"], result.Processes);
        Assert.Equal(0, CpuAnalysis.Run(processes, runs, new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null), Files()).Samples);
        var error = Assert.Throws<UnknownProcessException>(() =>
            CpuAnalysis.Run(processes, runs, new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null) { Process = "fourth" }, Files())
        );
        Assert.Equal("no process 'fourth' was recorded; recorded: first 1, second 2, third 3", error.Message);
    }

    /// <summary>
    /// Main calls Sort of the platform, which calls Compare, which calls native code; a thread of the platform and one without callers have
    /// no own code.
    /// </summary>
    private static SyntheticTrace Mixed() =>
        new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Module("/app/App.dll")
            .Code(1, A, "App.Program", "Main", 1)
            .Code(1, B, "App.Book+<LoadAsync>d__6", "MoveNext", 2)
            .Module("/dotnet/System.Private.CoreLib.dll", id: 2)
            .Code(1, C, "System.Array", "Sort", 3, module: 2)
            .Map(1, 0x7000_0000, "/lib/libc.so.6")
            .Map(1, 0x7100_0000, "/lib/libnative.so")
            .Pause(1390, 1410)
            .Sample(1100, 1, 0, C + 8, A + 8, Libc)
            .Sample(1200, 1, 0, Native, B + 8, C + 8, A + 8, Libc)
            .Sample(1300, 1, 0, A + 8, Libc)
            .Sample(1400, 1, 0, Native, C + 8, A + 8, Libc)
            .Sample(1500, 9, 0, C + 8, Libc)
            .Sample(1600, 9, 0, Native)
            .Sample(1700, 9, 0, B + 8, C + 8);

    [Fact]
    public void Just_my_code_keeps_own_frames_and_moves_the_time_of_others_to_them()
    {
        var result = Analyze(Mixed(), justMyCode: true);

        Assert.Equal(
            ["App.Program.Main 4/3", "  App.Book.LoadAsync 1/1", "[no own code] 2/2", "[broken stack] 1/0", "  App.Book.LoadAsync 1/1"],
            Lines(result)
        );
        // Leaves of the platform below own code: Sort twice, native code once.
        Assert.Equal((3.0, 2.0), (result.FoldedMs, result.MsWithoutMine));
        Assert.Equal((null, null), ((double?, double?))(Analyze(Mixed()).FoldedMs, Analyze(Mixed()).MsWithoutMine));
    }

    [Fact]
    public void Just_my_code_has_the_same_rows_as_its_tree()
    {
        var rows = Analyze(Mixed(), justMyCode: true, rows: true).Rows;

        Assert.Equal(
            ["App.Program.Main 3/4", "App.Book.LoadAsync 2/2", "[no own code] 2/2"],
            rows.Select(row => $"{row.Name} {row.Samples}/{row.InclusiveSamples}")
        );
    }

    [Fact]
    public void The_user_says_what_own_code_is()
    {
        var files = new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero) { MyCode = NamePattern.List("CoreLib") };

        Assert.Equal(
            ["System.Array.Sort 4/4", "[no own code] 2/2"],
            Lines(Analyze(Mixed(), justMyCode: true, files: files))
                .Where(line => !line.Contains("broken", StringComparison.Ordinal))
                .Take(2)
        );
    }

    private static SymbolFiles Files() => new("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero);

    private static CpuResult Analyze(
        SyntheticTrace trace,
        CallTreeQuery? tree = null,
        CpuGrouping grouping = CpuGrouping.Method,
        bool justMyCode = false,
        bool rows = false,
        SymbolFiles? files = null
    )
    {
        IReadOnlyList<TracedProcess> processes = [new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], [])];
        var query = new CpuQuery(grouping, false, new RunFilter(), null)
        {
            Tree = rows ? null : tree ?? new CallTreeQuery(0, CallTreeQuery.Deepest, null),
            JustMyCode = justMyCode,
        };
        return CpuAnalysis.Run(processes, RunAnalysis.Run(processes, []).Runs, query, files ?? Files());
    }

    private static string[] Lines(CpuResult result) =>
        [.. result.Tree!.Select(row => $"{new string(' ', 2 * row.Depth)}{row.Name} {row.InclusiveSamples}/{row.Samples}")];
}
