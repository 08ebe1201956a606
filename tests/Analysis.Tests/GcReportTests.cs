using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>GCs of made-up traces, one by one.</summary>
public sealed class GcReportTests
{
    [Fact]
    public void A_GC_has_its_pause_its_reason_and_what_it_did_to_the_heap()
    {
        var tables = new EventTables(Trace());
        var gcs = tables.Gcs;

        var row = gcs.Rows[0];
        Assert.Equal(
            (2, 1, GcReason.AllocLarge, GcKind.Blocking, false),
            (row.Number, row.Generation, row.Reason, row.Kind, row.IsInduced)
        );
        Assert.Equal((1.201, 0.2, 0.2), (row.StartMs, row.PauseMs, row.PauseInRunsMs));
        Assert.Equal((2_000L, 1_500L, 300L), (row.BytesBefore!.Value, row.BytesAfter!.Value, row.PromotedBytes!.Value));
        Assert.Equal(("Json", 1), (row.Run!.Identity.Serializer, row.Run.RunId));
        Assert.Equal([2, 3], gcs.Rows.Select(item => item.Number)); // 1 begins before the run, 4 between two
        Assert.Equal((new GcCounts(0, 1, 1), 1, 0, 2), (gcs.Counts, gcs.Induced, gcs.Background, gcs.OutsideRuns));

        // The first pause overlaps the start of the run, the third one its end.
        Assert.Equal(0.101 + 0.2 + 0.051, gcs.PauseMs, 9);
        Assert.Equal((0.2, 100 * gcs.PauseMs / (2.002 + 1.002)), (gcs.MaxPauseMs, gcs.PausePercent!.Value));
        tables.CheckSums();
    }

    [Fact]
    public void All_kinds_show_also_what_lies_outside_of_runs()
    {
        var rows = new EventTables(new EventQuery(new RunFilter { AllKinds = true }, null), Trace()).Gcs.Rows;

        Assert.Equal([(1, null), (2, 1), (3, 1), (4, (int?)null)], rows.Select(row => (row.Number, row.Run?.RunId)));
        Assert.Equal((0.2, 0.101), (rows[0].PauseMs, Math.Round(rows[0].PauseInRunsMs, 9)));
        Assert.Equal(
            [1, 3],
            new EventTables(new EventQuery(new RunFilter { AllKinds = true }, 2), Trace()).Gcs.Rows.Select(row => row.Number)
        ); // those with the longest pauses
    }

    [Fact]
    public void A_background_GC_has_both_its_pauses_and_its_own_heap()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 9000)
            .Pause(1100, 1200)
            .Gc(1110, 1, 0, GcKind.Blocking)
            .End(1190, 1, 0, 111)
            .Gc(1150, 2, 2, GcKind.Background) // a young one first, in the same pause
            .Pause(2000, 2100, thread: 5)
            .Gc(2010, 3, 1, GcKind.Foreground)
            .End(2090, 3, 1, 333)
            .Pause(3000, 3300, SuspendReason.GcPreparation, thread: 6)
            .End(4000, 2, 2, 222)
            .Pause(5000, 5100, SuspendReason.Other);
        var tables = new EventTables(trace);

        Assert.Equal(
            [(1, 0.05, 111L), (2, 0.35, 222L), (3, 0.1, 333L)],
            tables.Gcs.Rows.Select(row => (row.Number, Math.Round(row.PauseMs, 9), row.BytesAfter!.Value))
        );
        Assert.Equal(1, tables.Gcs.Background);
        tables.CheckSums();
    }

    [Fact]
    public void The_server_collectors_heaps_are_added_and_what_is_not_written_is_not_recorded()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Pause(1100, 1200)
            .Gc(1110, 1, 0, GcKind.Blocking)
            .Before(1120, 100)
            .Before(1121, 50)
            .Pause(1300, 1400)
            .Gc(1310, 2, 0, GcKind.Blocking);
        var rows = new EventTables(trace).Gcs.Rows;

        Assert.Equal(
            [(150L, null, null), (null, null, (long?)null)],
            rows.Select(row => (row.BytesBefore, row.BytesAfter, row.PromotedBytes))
        );
    }

    [Fact]
    public void Pauses_of_several_processes_at_once_are_found()
    {
        var first = new SyntheticTrace().Run(1, 1000, 9000).Pause(1100, 1300).Pause(2000, 2400).Pause(5000, 5100);
        var second = new SyntheticTrace { ProcessId = 200 }
            .Run(1, 1000, 9000)
            .Pause(1200, 1400)
            .Pause(2100, 2200)
            .Pause(2300, 2500)
            .Pause(5100, 5200);
        var third = new SyntheticTrace { ProcessId = 300 }.Pause(2350, 2600); // marks no runs
        var gcs = new EventTables(first, second, third).Gcs;

        Assert.Equal(
            [(1.2, 0.1, 2, "100 200"), (2.1, 0.1, 2, "100 200"), (2.3, 0.2, 3, "100 200 300")],
            gcs.Overlaps!.Select(overlap =>
                (overlap.StartMs, Math.Round(overlap.Ms, 9), overlap.MaxProcesses, string.Join(' ', overlap.Processes))
            )
        );
        Assert.Equal(2.3, gcs.WorstOverlap!.StartMs);
        Assert.Null(new EventTables(first).Gcs.Overlaps);
    }

    private static SyntheticTrace Trace() =>
        new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Run(2, 5000, 6000, identity: SyntheticTrace.Identity("Xml"))
            .FullGc(900, 1100, 1, 0, GcReason.AllocSmall, GcKind.Blocking, 10, 5, 1)
            .FullGc(1200, 1400, 2, 1, GcReason.AllocLarge, GcKind.Blocking, 2_000, 1_500, 300)
            .FullGc(2950, 3200, 3, 2, GcReason.Induced, GcKind.Blocking, 2_000, 1_500, 300)
            .FullGc(4000, 4100, 4, 2, GcReason.Induced, GcKind.Blocking, 2_000, 1_500, 300);
}
