using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Made-up samples against hand-made counts. The window of run 1 is 999 to 3001 µs.</summary>
public sealed class CpuAnalysisTests
{
    private const ulong A = 0x1000;
    private const ulong B = 0x2000;
    private const ulong C = 0x3000;
    private const ulong Libc = 0x7000_0000;
    private const ulong Native = 0x7100_0000;
    private const ulong Heap = 0x7200_0000;
    private const ulong Kernel = 0xffffffff81000000;

    private static SyntheticTrace Trace() =>
        new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Module("/app/lib.dll")
            .Code(1, A, "Space.Outer+Inner", "A", 1)
            .Code(1, B, "Space.Sub.Type`1[System.Int32]", "B", 2)
            .Code(1, C, "Main", "C", 3)
            .Map(1, Libc, "/lib/libc.so.6")
            .Map(1, Native, "/lib/libnative.so")
            .Map(1, Heap, "//anon");

    [Fact]
    public void Exclusive_is_the_leaf_and_inclusive_everything_above_it()
    {
        var result = Analyze(
            Trace()
                .Sample(1100, 1, 0, A + 8, B + 8, C + 8, Libc + 8)
                .Sample(1200, 1, 0, B + 8, C + 8, Libc + 8)
                .Sample(1300, 1, 0, B + 16, C + 8, Libc + 8)
        );

        Assert.Equal((3L, 3.0), (result.Samples, result.CpuMs));
        Assert.Equal(["Space.Sub.Type`1[System.Int32].B 2/3", "Space.Outer+Inner.A 1/1", "Main.C 0/3", "libc.so.6+? 0/3"], Rows(result));
        Assert.Equal(
            (2.0, 100 * 2.0 / 3, 3.0, 100.0),
            (result.Rows[0].CpuMs, result.Rows[0].Percent, result.Rows[0].InclusiveCpuMs, result.Rows[0].InclusivePercent)
        );
    }

    [Fact]
    public void A_method_that_calls_itself_counts_once_a_stack() =>
        Assert.Equal(
            ["Space.Outer+Inner.A 1/1", "Space.Sub.Type`1[System.Int32].B 0/1", "libc.so.6+? 0/1"],
            Rows(Analyze(Trace().Sample(1100, 1, 0, A, A + 8, B + 8, A + 24, B + 8, A + 8, Libc + 8)))
        );

    [Fact]
    public void A_caller_is_looked_up_where_it_called()
    {
        // The return address after a call at the end of A is the first byte of what follows.
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Code(1, A, "T", "A", 1)
            .Code(1, A + 0x100, "T", "After", 2)
            .Code(1, C, "T", "C", 3);

        Assert.Equal(["T.C 1/1", "T.A 0/1"], Rows(Analyze(trace.Sample(1100, 1, 0, C, A + 0x100))));
        Assert.Equal(
            ["T.After 1/1"],
            Rows(
                Analyze(
                    new SyntheticTrace()
                        .Run(1, 1000, 3000)
                        .Code(1, A, "T", "A", 1)
                        .Code(1, A + 0x100, "T", "After", 2)
                        .Sample(1100, 1, 0, A + 0x100)
                )
            )
        );
    }

    [Fact]
    public void A_stack_that_the_runtime_walked_is_whole_and_its_leaf_is_a_call_too()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Code(1, A, "T", "A", 1)
            .Code(1, A + 0x100, "T", "After", 2)
            .Code(1, C, "T", "C", 3);
        var result = Analyze(trace.ManagedSample(1100, 1, A + 0x100, C + 8));

        Assert.Equal(["T.A 1/1", "T.C 0/1"], Rows(result));
        Assert.Equal(0, result.BrokenStacks);
        Assert.Equal(1, Analyze(trace.ManagedSample(1200, 1, [.. Enumerable.Repeat(A + 8, 100)])).BrokenStacks);
    }

    [Fact]
    public void The_phantom_frame_below_replaced_code_is_dropped()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Map(1, Libc, "/lib/libc.so.6")
            .Code(1, A, "T", "Loop", 1, CodeTier.Tier0)
            .Code(2, B, "T", "Loop", 1, CodeTier.Tier1Osr)
            .Code(3, C, "T", "Other", 2, CodeTier.Tier0)
            .Sample(1100, 1, 0, B + 8, A + 8, C + 8, Libc + 8);

        var row = Analyze(trace).Rows[0];
        Assert.Equal(("T.Loop", "Tier1Osr", 1L, 1L), (row.Name, row.Tiers, row.Samples, row.InclusiveSamples));
        Assert.Equal(["T.Loop 1/1", "T.Other 0/1", "libc.so.6+? 0/1"], Rows(Analyze(trace)));
    }

    [Fact]
    public void A_frame_stands_for_the_methods_inlined_there_and_the_method_itself()
    {
        // C holds A from 0x20 on and B, inlined into A, from 0x40 on; A and B have code of their own, too.
        var trace = Trace()
            .Inlined(1, [(3, 1, 0), (1, 2, 0), (2, 0, 0)], (0, 0), (1, 0x20), (2, 0x40), (0, 0x60))
            .Sample(1100, 1, 0, C + 0x50, Libc + 8) // leaf in B in A in C
            .Sample(1200, 1, 0, A + 8, C + 0x40, Libc + 8) // the call of A lies before the return address, in A: inlined A calls A
            .Sample(1300, 1, 0, C + 0x61, Libc + 8)
            .Sample(1400, 1, 0, B + 8, C + 8, Libc + 8);

        var result = Analyze(trace);
        Assert.Equal(
            [
                "Main.C 1/4",
                "Space.Outer+Inner.A 0/2 inlined",
                "Space.Outer+Inner.A 1/1",
                "Space.Sub.Type`1[System.Int32].B 1/1",
                "Space.Sub.Type`1[System.Int32].B 1/1 inlined",
                "libc.so.6+? 0/4",
            ],
            result
                .Rows.Select(row => $"{row.Name} {row.Samples}/{row.InclusiveSamples}{(row.IsInlined ? " inlined" : "")}")
                .Order(StringComparer.Ordinal)
        );
        Assert.Equal(
            (2L, 2, 2, 0L),
            (result.ExpandedStacks!.Value, result.InlinedMethods!.Value, result.NamedInlinedMethods!.Value, result.BrokenStacks)
        );
        Assert.Equal(["libc.so.6 0/4", "lib.dll 4/4"], Rows(Analyze(trace, CpuGrouping.Module)).Order(StringComparer.Ordinal).Reverse());
        Assert.Equal(
            "Space.Sub 2/2",
            Rows(Analyze(trace, CpuGrouping.Namespace)).Single(row => row.StartsWith("Space.Sub", StringComparison.Ordinal))
        );
        Assert.Null(Analyze(Trace().Sample(1100, 1, 0, C + 0x50)).ExpandedStacks);
    }

    [Fact]
    public void The_phantom_frame_is_dropped_also_below_inlined_methods()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Map(1, Libc, "/lib/libc.so.6")
            .Code(1, A, "T", "Loop", 1, CodeTier.Tier0)
            .Code(1, C, "T", "Other", 2)
            .Inlined(1, [(2, 1, 0), (1, 0, 0)], (1, 0))
            .Code(2, B, "T", "Loop", 1, CodeTier.Tier1Osr)
            .Inlined(2, [(1, 1, 0), (2, 0, 0)], (1, 0))
            .Sample(1100, 1, 0, B + 8, A + 8, C + 8, Libc + 8);

        // The last inlined frame has the phantom's method but is not a phantom: it is part of the caller's code.
        Assert.Equal(
            ["T.Other", "T.Loop", "T.Loop", "T.Other", "libc.so.6+?"],
            Analyze(trace, tree: true).Tree!.Select(row => row.Name).Reverse()
        );
        Assert.Equal([true, false, true, false, false], Analyze(trace, tree: true).Tree!.Select(row => row.IsInlined).Reverse());
    }

    [Fact]
    public void Unusable_trees_are_reported_by_their_fault()
    {
        var result = Analyze(
            Trace().Inlined(1, [(3, 1, 0), (1, 1, 0)], (1, 0)).Inlined(2, [(99, 1, 0), (1, 0, 0)], (1, 0)).Sample(1100, 1, 0, C + 8)
        );

        Assert.Equal(["Main.C 1/1"], Rows(result));
        Assert.Equal(
            "inlined frames of 2 methods of process 100 are missing: 1 inline tree incomplete or damaged, 1 inline tree without a load event of its code (0 others are complete)",
            Assert.Single(result.SymbolProblems)
        );
    }

    [Fact]
    public void Only_samples_in_the_windows_of_matching_runs_count()
    {
        var trace = Trace()
            .Run(2, 5000, 6000, identity: SyntheticTrace.Identity("Xml", RunOperation.Deserialize))
            .Run(3, 8000, 9000, identity: SyntheticTrace.Identity(kind: RunKind.WarmUp))
            .Run(4, 11000, 12000, measurement: SyntheticTrace.Measurement(11000, 12000, error: "failed"))
            .Sample(900, 1, 0, A)
            .Sample(1000, 1, 0, A)
            .Sample(3500, 1, 0, A)
            .Sample(5500, 1, 0, B)
            .Sample(8500, 1, 0, C)
            .Sample(11500, 1, 0, C);

        Assert.Equal(2, Analyze(trace).Samples);
        Assert.Equal(3, Analyze(trace, filter: new RunFilter { AllKinds = true }).Samples);
        Assert.Equal(["Space.Sub.Type`1[System.Int32].B 1/1"], Rows(Analyze(trace, filter: new RunFilter { Serializer = "xml" })));
        Assert.Equal(["Space.Sub.Type`1[System.Int32].B 1/1"], Rows(Analyze(trace, filter: new RunFilter { Test = "deserialize" })));
        Assert.Equal(["Space.Outer+Inner.A 1/1"], Rows(Analyze(trace, filter: new RunFilter { RunId = 1 })));
        Assert.Equal(2, Analyze(trace, filter: new RunFilter { Serializer = "Jso,#xml" }).Samples);
        Assert.Equal(2, Analyze(trace, filter: new RunFilter { Test = "serial" }).Samples);
        Assert.Equal(1, Analyze(trace, filter: new RunFilter { Test = "serialize" }).Samples);
        Assert.EndsWith(
            "did you mean Json?",
            Assert.Throws<NoRunMatchesException>(() => Analyze(trace, filter: new RunFilter { Serializer = "xml,Jsno" })).Message,
            StringComparison.Ordinal
        );
        Assert.EndsWith(
            "choose from Json, Xml",
            Assert.Throws<NoRunMatchesException>(() => Analyze(trace, filter: new RunFilter { Serializer = "#Jil" })).Message,
            StringComparison.Ordinal
        );
        Assert.Throws<NoRunMatchesException>(() => Analyze(trace, filter: new RunFilter { RunId = 4, AllKinds = true }));
    }

    [Fact]
    public void Rows_of_modules_namespaces_and_threads()
    {
        var trace = Trace()
            .Named(1, 1, "main")
            .Named(1, 9, "worker")
            .Sample(1100, 1, 0, A + 8, B + 8, Libc + 8)
            .Sample(1200, 9, 0, C + 8, Libc + 8)
            .Sample(1300, 9, 1, Kernel, C + 8, Libc + 8)
            .Sample(1400, 9, 0, Native + 8, C + 8, Libc + 8);

        Assert.Equal(["lib.dll 2/4", "[kernel] 1/1", "libnative.so 1/1", "libc.so.6 0/4"], Rows(Analyze(trace, CpuGrouping.Module)));
        Assert.Equal(
            ["lib.dll 1/3", "Space 1/1", "[kernel] 1/1", "libnative.so 1/1", "libc.so.6 0/4", "Space.Sub 0/1"],
            Rows(Analyze(trace, CpuGrouping.Namespace))
        );
        var threads = Analyze(trace, CpuGrouping.Thread).Rows;
        Assert.Equal(
            [("worker", 9L, 3L, 1L), ("main", 1L, 1L, 0L)],
            threads.Select(row => (row.Name, row.ThreadId!.Value, row.Samples, row.KernelSamples))
        );
    }

    [Fact]
    public void Kernel_samples_are_counted_and_charged_to_their_callers()
    {
        var result = Analyze(Trace().Sample(1100, 1, 2, Kernel + 16, Kernel + 32, A + 8, Libc + 8).Sample(1200, 1, 0, A + 8, Libc + 8));

        Assert.Equal((1, 50.0), (result.KernelSamples, result.Percent(result.KernelSamples)));
        Assert.Equal(
            (1L, 2L, 1L),
            (
                Row(result, "Space.Outer+Inner.A").Samples,
                Row(result, "Space.Outer+Inner.A").InclusiveSamples,
                Row(result, "Space.Outer+Inner.A").KernelSamples
            )
        );
        Assert.Equal((1L, CodeKind.Kernel), (Row(result, "[kernel]+?").Samples, Row(result, "[kernel]+?").Kind));
    }

    [Fact]
    public void Unnamed_leaves_and_broken_stacks_are_counted()
    {
        var result = Analyze(
            Trace()
                .Sample(1100, 1, 0, A + 8, Libc + 8) // complete, named
                .Sample(1200, 1, 0, Heap + 8, A + 8, Libc + 8) // complete, managed without a name
                .Sample(1300, 1, 0, Native + 8, A + 8) // broken in A, native without a name
                .Sample(1400, 1, 0, Libc + 8) // broken: a leaf in the C library is not the start of a thread
                .Sample(1500, 1, 1, Kernel) // kernel alone: nothing to break
                .Sample(1600, 1, 0)
        ); // nothing at all

        Assert.Equal(
            (6L, 1L, 2L, 1L, 2L),
            (result.Samples, result.NamedLeaves, result.ManagedLeaves, result.NamedManagedLeaves, result.BrokenStacks)
        );
        Assert.Equal(50.0, result.NamedManagedPercent);
        Assert.Equal(1, Row(result, "[code heap]+?").Samples);
        Assert.Equal(1, Row(result, "[unknown]+?").Samples);
    }

    [Fact]
    public void Rows_are_sorted_by_exclusive_or_inclusive_time_and_limited()
    {
        var trace = Trace().Sample(1100, 1, 0, A + 8, C + 8).Sample(1200, 1, 0, B + 8, C + 8);

        Assert.Equal("Main.C 0/2", Rows(Analyze(trace, inclusive: true))[0]);
        var top = Analyze(trace, top: 1);
        Assert.Equal((1, 3), (top.Rows.Count, top.RowsTotal));
    }

    [Fact]
    public void Without_method_events_the_report_says_why_there_are_no_names()
    {
        var trace = new SyntheticTrace { Kinds = EventKinds.All & ~EventKinds.MethodCode }
            .Run(1, 1000, 3000)
            .Code(1, A, "T", "A", 1)
            .Sample(1100, 1, 0, A);

        var result = Analyze(trace);
        Assert.Equal(["[unknown]+? 1/1"], Rows(result));
        Assert.Contains("session 'code'", Assert.Single(result.SymbolProblems), StringComparison.Ordinal);
        Assert.Empty(Analyze(Trace().Sample(1100, 1, 0, A)).SymbolProblems);
    }

    [Fact]
    public void Without_samples_nothing_is_claimed()
    {
        var result = Analyze(Trace());

        Assert.Empty(result.Rows);
        Assert.Equal((0L, null, null), (result.Samples, result.Percent(0), result.NamedManagedPercent));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_sample_allocates_nothing(bool tree)
    {
        const int Many = 20_000;

        // The smallest object has 24 bytes. The one-time allocations of a pass vary by some KB with the progress of the JIT.
        Assert.InRange(Allocated(2 * Many) - Allocated(Many), long.MinValue, 8 * Many);

        long Allocated(int samples)
        {
            var trace = new RepeatedSample(samples);
            var marks = new SyntheticTrace { Kinds = EventKinds.All & ~EventKinds.CpuSamples }
                .Run(1, 1000, 3000)
                .Code(1, A, "T", "A", 1)
                .Code(1, B, "T", "B", 2)
                .Inlined(1, [(2, 1, 0), (1, 0, 0)], (1, 0));
            IReadOnlyList<TracedProcess> processes = [new TracedProcess(SyntheticTrace.Process, "program", "", [marks, trace], [])];
            var runs = RunAnalysis.Run(processes, []).Runs;
            var query = new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null)
            {
                Tree = tree ? new CallTreeQuery(0, CallTreeQuery.Deepest, null) : null,
            };
            CpuAnalysis.Run(processes, runs, query, Files());
            var before = GC.GetAllocatedBytesForCurrentThread();
            CpuAnalysis.Run(processes, runs, query, Files());
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    private static SymbolFiles Files() => new("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero);

    private static CpuResult Analyze(
        SyntheticTrace trace,
        CpuGrouping grouping = CpuGrouping.Method,
        bool inclusive = false,
        RunFilter? filter = null,
        int? top = null,
        bool tree = false
    )
    {
        IReadOnlyList<TracedProcess> processes = [new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], [])];
        return CpuAnalysis.Run(
            processes,
            RunAnalysis.Run(processes, []).Runs,
            new CpuQuery(grouping, inclusive, filter ?? new RunFilter(), top)
            {
                Tree = tree ? new CallTreeQuery(0, CallTreeQuery.Deepest, null) : null,
            },
            Files()
        );
    }

    private static string[] Rows(CpuResult result) => [.. result.Rows.Select(row => $"{row.Name} {row.Samples}/{row.InclusiveSamples}")];

    private static CpuRow Row(CpuResult result, string name) => Assert.Single(result.Rows, row => row.Name == name);

    /// <summary>Sends one sample many times, without allocating itself.</summary>
    private sealed class RepeatedSample(int count) : ITraceSource
    {
        private static readonly ulong[] s_frames = [A + 8, B + 8, Heap + 8, Libc + 8];

        public string Name => "samples";

        public TraceClock Clock => new(0, 1_000_000_000);

        public int ProcessId => SyntheticTrace.Process;

        public EventKinds Kinds => EventKinds.CpuSamples;

        public EventDetails Details => EventDetails.None;

        public TraceReadResult Read(EventHub hub)
        {
            for (var i = 0; i < count; i++)
                hub.Publish(new CpuSample(new EventAt(1_100_000 + i % 1000, ProcessId, 1), 1_000_000, false, s_frames, 0));
            return new TraceReadResult(count, 0, 0, 0, null);
        }
    }
}
