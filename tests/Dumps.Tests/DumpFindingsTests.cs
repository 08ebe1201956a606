using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Heap;
using EtwSerializerProfiler.Dumps.Locks;
using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Dumps.Tests;

/// <summary>Findings on a process, from handmade results: each rule once just above its limit and once just below it.</summary>
public sealed class DumpFindingsTests
{
    private static readonly DumpResult s_empty = new(
        "app.dmp",
        new DumpFacts(DumpKind.ElfCore, 1, 1, "Linux", "X64", "CoreCLR 10.0.12", "/libcoreclr.so", false)
    );

    [Fact]
    public void Threads_that_wait_for_each_other_are_a_deadlock_and_others_none()
    {
        var (first, second, third) = (new DumpThread(1, 11), new DumpThread(2, 12), new DumpThread(3, 13));
        HeldLock Held(ulong address, DumpThread owner, params DumpThread[] waiting) =>
            new(address, "System.Object", LockKind.Monitor, owner, 1, null) { Waiting = waiting };

        var finding = Assert.Single(
            Check(s_empty with { Locks = [Held(0xA, first, second, third), Held(0xB, second, first), Held(0xC, third)] })
        );
        Assert.Equal("deadlock", finding.Code);
        Assert.Equal(
            "deadlock: thread 1 holds System.Object 0xA, for which thread 2 and thread 3 wait; thread 2 holds System.Object 0xB, for which thread 1 waits",
            finding.Text
        );
        Assert.Equal(2, finding.Evidence[0].Value);

        // A chain: the last one runs.
        Assert.Empty(Check(s_empty with { Locks = [Held(0xA, first, second), Held(0xB, second, third)] }));
    }

    [Theory]
    [InlineData(HeapGeneration.Loh, 20_000_000, 40_000_000, "33 % of the large object heap are gaps (20.0 MB)")]
    [InlineData(HeapGeneration.Gen2, 90_000_000, 10_000_000, "90 % of generation 2 are gaps (90.0 MB)")]
    [InlineData(HeapGeneration.Loh, 9_000_000, 1_000_000, null)] // little
    [InlineData(HeapGeneration.Gen2, 20_000_000, 80_000_000, null)] // a small share
    [InlineData(HeapGeneration.Gen0, 90_000_000, 10_000_000, null)] // the next allocations
    public void Gaps_are_reported_where_they_are_many(HeapGeneration generation, long free, long used, string? text)
    {
        var findings = Check(s_empty with { Heap = new HeapResult([], [new GenerationRow(generation, 1, null, 10, used, 10, free)]) });

        if (text is null)
            Assert.Empty(findings);
        else
            Assert.StartsWith(text, Assert.Single(findings, finding => finding.Code == "heap-gaps").Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(900, 100, true)]
    [InlineData(900, 99, false)]
    public void A_long_queue_of_the_finalizer_is_reported(int some, int others, bool reported)
    {
        var heap = new HeapResult([], [])
        {
            Finalizers = [new FinalizerRow("App.Slow", 5, some, 1), new FinalizerRow("App.Other", 5, others, 1)],
        };

        var findings = Check(s_empty with { Heap = heap });

        if (reported)
            Assert.StartsWith(
                "1000 objects in the queue of the finalizer thread, most of them App.Slow",
                Assert.Single(findings, finding => finding.Code == "finalizer-queue").Text,
                StringComparison.Ordinal
            );
        else
            Assert.Empty(findings);
    }

    [Fact]
    public void What_is_missing_is_said()
    {
        var heap = new HeapResult([], [])
        {
            DamagedPlaces = 3,
            UnreadBytes = 4096,
            IsWalkable = false,
        };
        var candidates = new LockCandidates();
        for (var i = 0; i < LockCandidates.Max; i++)
            candidates.Thin.Add((ulong)i);

        var findings = DumpFindings.Check(
            s_empty,
            heap,
            [new DumpThread(4, 1) { Problem = "unreadable" }, new DumpThread(5, 2)],
            candidates,
            [("locks", "no heap")]
        );

        Assert.Equal(["dump-section", "dump-stack", "dump-heap", "dump-heap", "dump-limit"], findings.Select(finding => finding.Code));
        Assert.Contains("locks: not read: no heap", findings[0].Text, StringComparison.Ordinal);
        Assert.Contains("thread 4", findings[1].Text, StringComparison.Ordinal);
        Assert.Contains("4096 bytes", findings[2].Text, StringComparison.Ordinal);
    }

    private static IReadOnlyList<Analysis.Findings.Finding> Check(DumpResult result) =>
        DumpFindings.Check(result, null, null, new LockCandidates(), []);
}
