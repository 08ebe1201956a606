using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Exceptions, allocations, locks, compilations and waits of made-up traces with known facts.</summary>
public sealed class EventReportTests
{
    /// <summary>Methods by the address of their code.</summary>
    private const ulong Throw = 0x1000;
    private const ulong Parse = 0x2000;
    private const ulong Monitor = 0x3000;
    private const ulong Allocate = 0x4000;

    /// <summary>Return addresses in them.</summary>
    private const ulong InThrow = Throw + 0x10;
    private const ulong InParse = Parse + 0x10;
    private const ulong InMonitor = Monitor + 0x10;
    private const ulong InAllocate = Allocate + 0x10;

    [Fact]
    public void Exceptions_are_counted_by_type_and_by_the_method_that_threw()
    {
        var tables = new EventTables(
            Trace()
                .Map(1, 0x7000_0000, @"C:\Windows\clr.dll")
                .Throw(900, "System.Before", "not in a run", 1, stack: InParse)
                .Throw(1100, "System.FormatException", "first", unchecked((int)0x80131537), stack: [InThrow, InParse])
                // ETW: with native frames.
                .Throw(1200, "System.FormatException", "second", unchecked((int)0x80131537), stack: [0x7000_0010, InThrow, InParse])
                .Throw(1300, "System.FormatException", "second", unchecked((int)0x80131537), rethrown: true, stack: [InThrow, InParse])
                .Throw(1400, "System.FormatException", "other place", unchecked((int)0x80131537), thread: 7, stack: InAllocate)
                .Throw(5100, "System.IO.IOException", "no stack", 5)
        );

        var rows = tables.Exceptions.Rows;
        Assert.Equal(
            [
                ("Json", "System.FormatException", "Lib.Parser.Parse", 2, 1, "second"),
                ("Json", "System.FormatException", "Lib.Parser.Parse", 1, 0, "first"),
                ("Json", "System.FormatException", "System.GC.Allocate", 1, 0, "other place"),
                ("Xml", "System.IO.IOException", null, 1, 0, "no stack"),
            ],
            rows.Select(row => (row.Runs.Serializer, row.Type!, row.Method?.Name, (int)row.Count, (int)row.Rethrown, row.Message))
        );
        Assert.Equal(unchecked((int)0x80131537), rows[0].HResult);
        Assert.Equal(
            3,
            Assert
                .Single(
                    new EventTables(
                        new EventQuery(new RunFilter { Serializer = "json" }, 1),
                        Trace().Throw(1100, "A", "", 0).Throw(1150, "A", "", 0).Throw(1180, "A", "", 0).Throw(1200, "B", "", 0)
                    )
                        .Exceptions
                        .Rows
                )
                .Count
        );
        tables.CheckSums();
    }

    [Fact]
    public void Sampled_allocations_stand_for_bytes_by_their_probability()
    {
        var tables = new EventTables(
            Trace(EventKinds.All & ~EventKinds.AllocationTicks)
                .Sampled(1100, "A", 24, stack: [InAllocate, InParse])
                .Sampled(1200, "A", 48, stack: [InAllocate, InParse])
                .Sampled(1300, "A", 200_000, AllocationKind.Large, stack: InThrow)
                .Sampled(3500, "A", 24)
                .Sampled(5100, "B", 1_000_000, AllocationKind.Pinned)
        );

        var types = tables.Allocations(AllocationGrouping.Type);
        Assert.Equal(
            [("Xml", "B", AllocationKind.Pinned, 1), ("Json", "A", AllocationKind.Large, 1), ("Json", "A", AllocationKind.Small, 2)],
            types.Rows.Select(row => (row.Runs.Serializer, row.Type!, row.Heap!.Value, (int)row.Events))
        );
        var small = types.Rows[2];
        Assert.Equal(AllocationEstimate.OfSample(24) + AllocationEstimate.OfSample(48), small.Bytes, 6);
        Assert.Equal(small.Bytes / Math.Sqrt(2), small.ErrorBytes!.Value, 6);
        Assert.Equal(48, small.MaxObjectBytes);
        Assert.Equal(100, types.Rows[1].Percent + small.Percent, 9);
        Assert.Equal((AllocationSource.Sampled, 8000.0), (types.Source, types.ExactBytes));

        Assert.Equal(
            ["System.Runtime.EH.Throw", "Lib.Parser.Parse"],
            tables.Allocations(AllocationGrouping.Method).Rows.Where(row => row.Runs.Serializer == "Json").Select(row => row.Method?.Name)
        );
        Assert.Equal([4000.0, 4000.0], tables.Allocations(AllocationGrouping.Serializer).Rows.Select(row => row.ExactBytes));
        tables.CheckSums();
    }

    [Fact]
    public void Ticks_are_added_up_and_never_scaled()
    {
        var tables = new EventTables(
            Trace(EventKinds.All & ~EventKinds.AllocationSamples)
                .Tick(1100, "A", 102_000)
                .Tick(1200, "A", 110_000)
                .Tick(1300, "A", 150_000, AllocationKind.Large)
        );

        var rows = tables.Allocations(AllocationGrouping.Type).Rows;
        Assert.Equal([(212_000.0, 2L, null), (150_000.0, 1L, null)], rows.Select(row => (row.Bytes, row.Events, row.ErrorBytes)));
        Assert.All(rows, row => Assert.Equal(AllocationSource.Ticks, row.Source));
        tables.CheckSums();
    }

    [Fact]
    public void Lock_waits_are_clipped_to_the_runs_and_named_by_lock_owner_and_method()
    {
        var tables = new EventTables(
            Trace()
                .Named(1, 9, "holder")
                .Contention(1100, 1600, SyntheticTrace.Main, 0xABC, 9, InMonitor, InParse)
                .Contention(1700, 1800, SyntheticTrace.Main, 0xABC, 9, InMonitor, InParse)
                .Contention(1700, 1900, 7, 0xDEF, 0)
                .Contention(900, 1300, 8, 0xABC, 9, InMonitor, InParse) // began before the run
                .Contention(2900, 5200, 8, 0xABC, 9, InMonitor, InParse) // reaches from one run into the next
                .Contention(1000, 2000, 6, native: true)
        );

        Assert.Equal(
            [
                ("Json", 0xABCUL, "Lib.Parser.Parse", "holder", 3, 1.002, 0.5),
                ("Xml", 0xABC, "Lib.Parser.Parse", "holder", 0, 0.201, 0.201),
                ("Json", 0xDEF, null, null, 1, 0.2, 0.2),
            ],
            tables.Locks.Rows.Select(row =>
                (
                    row.Runs.Serializer,
                    row.LockId!.Value,
                    row.Method?.Name,
                    row.OwnerThread,
                    (int)row.Count,
                    Math.Round(row.Ms, 4),
                    Math.Round(row.MaxMs, 4)
                )
            )
        );
        Assert.Null(tables.Locks.Rows[2].OwnerThreadId);
        tables.CheckSums();
    }

    [Fact]
    public void Compilations_are_added_up_by_method_and_tier_without_what_they_made_others_compile()
    {
        var tables = new EventTables(
            Trace()
                .Named(1, 9, ".NET Tiered Compilation Worker")
                .Jit(1100, 1500, 1, "Lib.Parser", "Outer", CodeTier.Tier0, 100, 1000, stack: InParse)
                .Jit(1200, 1300, 2, "Lib.Parser", "Inner", CodeTier.Tier0, 10, 50, stack: InParse)
                .Jit(1400, 1450, 3, "Lib.Parser", "Inner", CodeTier.Tier0, 20, 60, stack: InParse)
                .Jit(2000, 2600, 1, "Lib.Parser", "Outer", CodeTier.Tier1, 100, 700, thread: 9)
                .Jit(2950, 5100, 4, "Lib.Parser", "Late", CodeTier.Tier1, 1, 2, thread: 9)
                .Jit(2000, 2010, 5, "", "", CodeTier.Optimized, 5, 6, thread: 12)
        );

        Assert.Equal(
            [
                ("Lib.Parser.Outer", CodeTier.Tier1, JitThreadKinds.TieredWorker, 1, 0.6, 100, 700),
                ("Lib.Parser.Outer", CodeTier.Tier0, JitThreadKinds.Caller, 1, 0.25, 100, 1000),
                ("Lib.Parser.Inner", CodeTier.Tier0, JitThreadKinds.Caller, 2, 0.15, 30, 110),
                ("Lib.Parser.Late", CodeTier.Tier1, JitThreadKinds.TieredWorker, 1, 0.101, 1, 2),
                ("Lib.Parser.Late", CodeTier.Tier1, JitThreadKinds.TieredWorker, 0, 0.051, 0, 0),
                (null, CodeTier.Optimized, (JitThreadKinds?)null, 1, 0.01, 5, 6),
            ],
            tables.Jit.Rows.Select(row =>
                (row.Method, row.Tier, row.Threads, (int)row.Count, Math.Round(row.Ms, 4), (int)row.IlBytes!, (int)row.NativeBytes)
            )
        );
        tables.CheckSums();
    }

    [Fact]
    public void Waits_by_events_are_those_of_the_measuring_thread()
    {
        var trace = Trace(EventKinds.All & ~EventKinds.ContextSwitches)
            .Wait(1100, 1400, SyntheticTrace.Main, InMonitor, InParse)
            .Wait(1500, 1600, SyntheticTrace.Main, InMonitor, InParse)
            .Wait(2950, 5200, SyntheticTrace.Main, InAllocate)
            .Wait(1100, 1900, 7, InParse)
            .Wait(500, 600, SyntheticTrace.Main, InParse);

        Assert.Equal(
            [
                ("Json", "Lib.Parser.Parse", 2, 0.4, 0.3),
                ("Xml", "System.GC.Allocate", 0, 0.201, 0.201),
                ("Json", "System.GC.Allocate", 1, 0.051, 0.051),
            ],
            new EventTables(trace).Waits.Rows.Select(row =>
                (row.Runs.Serializer, row.Method!.Value.Name, (int)row.Count, Math.Round(row.Ms, 4), Math.Round(row.MaxMs, 4))
            )
        );
        Assert.All(new EventTables(trace).Waits.Rows, row => Assert.Equal(WaitSource.Events, row.Source));
    }

    [Fact]
    public void Switches_give_the_time_and_events_or_call_chains_the_method()
    {
        var tables = new EventTables(
            Trace()
                .Map(1, 0x7000_0000, "/lib/libc.so.6")
                .SwitchIn(500, SyntheticTrace.Main)
                .Wait(1090, 1410, SyntheticTrace.Main, InMonitor, InParse)
                .SwitchOutStack(1099, SyntheticTrace.Main, 0, 0x7000_0010)
                .SwitchOut(1100, SyntheticTrace.Main)
                .Readied(1350, SyntheticTrace.Main)
                .SwitchIn(1400, SyntheticTrace.Main)
                .SwitchOutStack(1499, SyntheticTrace.Main, 1, 0xffffffff81000000, 0x7000_0010, InMonitor, InAllocate)
                .SwitchOut(1500, SyntheticTrace.Main)
                .SwitchIn(1600, SyntheticTrace.Main)
                .SwitchOutStack(1699, SyntheticTrace.Main, 1, 0xffffffff81000000, 0x7000_0010)
                .SwitchOut(1700, SyntheticTrace.Main)
                .SwitchIn(1750, SyntheticTrace.Main)
                .SwitchOut(1800, SyntheticTrace.Main)
                .SwitchIn(1820, SyntheticTrace.Main)
                .SwitchOutStack(1899, SyntheticTrace.Main, 0, InParse)
                .SwitchOut(1900, SyntheticTrace.Main, preempted: true)
                .SwitchIn(1950, SyntheticTrace.Main)
        );

        Assert.Equal(
            [("Lib.Parser.Parse", 1, 0.25), ("System.GC.Allocate", 1, 0.1), ("libc.so.6+?", 1, 0.05), (null, 1, 0.02)],
            tables.Waits.Rows.Select(row => (row.Method?.Name, (int)row.Count, Math.Round(row.Ms, 4)))
        );
        tables.CheckSums();
    }

    [Fact]
    public void What_was_not_recorded_is_said()
    {
        var nothing = new SyntheticTrace { Kinds = EventKinds.RunMarks }.Run(1, 1000, 3000);
        var error = Assert.Throws<NotRecordedException>(() => new EventTables(nothing).Exceptions);
        Assert.Contains("session 'clr'", error.Message, StringComparison.Ordinal);
        Assert.Throws<NotRecordedException>(() => new EventTables(nothing).Gcs);
        Assert.Throws<NotRecordedException>(() => new EventTables(nothing).Allocations(AllocationGrouping.Type));
        Assert.Throws<NoRunMatchesException>(() =>
            new EventTables(new EventQuery(new RunFilter { Serializer = "none" }, null), Trace()).Locks
        );

        var noStacks = new EventTables(
            Trace(EventKinds.All & ~EventKinds.SwitchOutStacks, EventDetails.KernelSamples).Throw(1100, "A", "", 0)
        );
        Assert.Contains("stacks", Assert.Single(noStacks.Exceptions.Problems), StringComparison.Ordinal);
        Assert.Null(Assert.Single(noStacks.Exceptions.Rows).Method);
    }

    [Fact]
    public void The_committed_recording_adds_up_to_its_table()
    {
        var tables = new EventTables(TraceInputReader.Open([TestFiles.Recording]).Processes);

        tables.CheckSums();
        var exception = Assert.Single(tables.Exceptions.Rows);
        Assert.Equal(
            ("System.InvalidOperationException", 100L, "x", unchecked((int)0x80131509)),
            (exception.Type, exception.Count, exception.Message, exception.HResult!.Value)
        );
        // Precompiled code that dispatches exceptions: the recording has no rundown, which names it.
        Assert.Equal("[unknown]+?", exception.Method?.Name);
        Assert.All(tables.Locks.Rows, row => Assert.NotNull(row.LockId));
        Assert.Equal(40, tables.Jit.Rows.Where(row => row.Runs.Serializer == "Jit").Sum(row => row.Count));
        Assert.Contains(
            tables.Allocations(AllocationGrouping.Type).Rows,
            row => row is { Runs.Serializer: "Trees", Type: "System.Byte[]", MaxObjectBytes: 124 or 128 }
        );
    }

    private static SyntheticTrace Trace(EventKinds kinds = EventKinds.All, EventDetails details = EventDetails.All) =>
        new SyntheticTrace { Kinds = kinds, Details = details }
            .Run(1, 1000, 3000)
            .Run(2, 5000, 6000, identity: SyntheticTrace.Identity("Xml", RunOperation.Deserialize))
            .Module("/app/Lib.dll")
            .Code(1, Throw, "System.Runtime.EH", "Throw", 1)
            .Code(1, Parse, "Lib.Parser", "Parse", 2)
            .Code(1, Monitor, "System.Threading.Monitor", "Enter", 3)
            .Code(1, Allocate, "System.GC", "Allocate", 4);
}
