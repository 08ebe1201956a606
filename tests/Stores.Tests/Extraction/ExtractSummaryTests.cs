using EtwSerializerProfiler.Stores.Extraction;

namespace EtwSerializerProfiler.Stores.Tests.Extraction;

public sealed class ExtractSummaryTests
{
    private static readonly ExtractSummary s_summary = new()
    {
        Store = new StoreAddress(StoreKind.Sqlite, "all.db", ""),
        Traces = 9,
        New = 3,
        Changed = 1,
        Known = 3,
        KnownFailed = 1,
        Duplicates = ["/b.etl"],
        Failed = [("/a.etl", "/a.etl: it is no trace; copy it again"), ("/c", "the process that read it ended twice (signal 9)")],
        OtherFiles = 2,
        Bytes = 1_062_000_000,
        Rows = 12_345,
        Elapsed = TimeSpan.FromSeconds(10),
        Jobs = 2,
        StoreBytes = 4_300_000,
    };

    [Fact]
    public void A_summary_has_what_was_done_and_what_was_not() =>
        Assert.Equal(
            [
                "failed: /a.etl: it is no trace; copy it again",
                "failed: /c: the process that read it ended twice (signal 9)",
                "same content as another trace: /b.etl",
                "Traces: 3 new, 1 changed, 4 already there, 2 failed. 1 of the stored ones could not be read; --retry-failed tries them again.",
                "Read: 1062.0 MB in 10.0 s (106 MB/s) by 2 processes; 12,345 rows inserted.",
                "Skipped: 2 other files.",
                "Store: sqlite:all.db (4.3 MB)",
            ],
            ExtractSummaryText.Lines(s_summary)
        );

    [Fact]
    public void An_interrupted_one_says_how_to_go_on() =>
        Assert.Equal(
            ["Interrupted: 5 of 9 traces not done; run the same command again to continue.", "Store: sqlite:all.db"],
            ExtractSummaryText.Lines(
                new ExtractSummary
                {
                    Store = s_summary.Store,
                    Traces = 9,
                    NotDone = 5,
                    IsInterrupted = true,
                }
            )
        );

    [Fact]
    public void Nothing_new_is_said_in_one_line() =>
        Assert.Equal(
            ["6 of 6 traces are in the store already; nothing new.", "Store: sqlite:all.db"],
            ExtractSummaryText.Lines(
                new ExtractSummary
                {
                    Store = s_summary.Store,
                    Traces = 6,
                    Known = 6,
                }
            )
        );

    [Theory]
    [InlineData(8, 16_000_000_000, 8)]
    [InlineData(8, 1_000_000_000, 3)]
    [InlineData(8, 100_000_000, 1)]
    [InlineData(1, 16_000_000_000, 1)]
    public void Workers_are_bounded_by_processors_and_memory(int processors, long bytes, int workers) =>
        Assert.Equal(workers, WorkerCount.For(processors, bytes));
}
