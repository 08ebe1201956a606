using EtwSerializerProfiler.Stores.Reading;
using EtwSerializerProfiler.Stores.Rows;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Tests.Reading;

public sealed class TraceSelectionTests
{
    private static readonly StoredTrace[] s_traces =
    [
        Trace(1, "2026-11-20 03:00:00", "main", "Debian, 12 | X64 | 2", "suite", ".NET 10.0.1"),
        Trace(2, "2026-11-21 03:00:00", "main", MachineClass.Of(HostDescription.Read()), "suite", ".NET 8.0.2, .NET 10.0.1"),
        Trace(3, "2026-11-19 03:00:00", "topic", "Debian, 12 | X64 | 2", "other", ".NET 8.0.2"),
        Trace(4, null, null, "", "", ""),
        Trace(5, "2026-11-22 03:00:00", "main", "", "suite", "") with
        {
            Status = StoredTrace.Failed,
            Error = "cut short",
        },
    ];

    [Theory]
    [InlineData("", "4 3 1 2")]
    [InlineData("branch=main", "1 2")]
    [InlineData("branch=main,last=1", "2")]
    [InlineData("last=2", "1 2")]
    [InlineData("LAST=99, Branch=topic", "3")]
    [InlineData("class=this", "2")]
    [InlineData("class=Debian, 12 | X64 | 2,branch=main", "1")]
    [InlineData("machine=HOST1", "1")]
    [InlineData("program=SUIT", "1 2")]
    [InlineData("program=#Suite", "1 2")]
    [InlineData("runtime=.net 8", "3 2")]
    [InlineData("name=/3", "3")]
    [InlineData("trace=000000000000000", "4 3 1 2")]
    [InlineData("trace=0000000000000001", "1")]
    [InlineData("commit=C2", "2")]
    [InlineData("since=2026-11-20", "1 2")]
    [InlineData("since=2026-11-20 03:00,before=2026-11-21 03:00:00", "1")]
    [InlineData("before=2026-11-20T03:00:01Z", "3 1")]
    public void Traces_the_oldest_first(string selection, string expected) =>
        Assert.Equal(expected, string.Join(' ', Select(selection).Select(trace => trace.Trace[^1])));

    [Theory]
    [InlineData("branches=main", "'branches'", "did you mean branch?")]
    [InlineData("main", "'main'", "choose from branch")]
    [InlineData("branch=", "'branch' has no value", "branch=VALUE")]
    [InlineData("last=0", "'0' is not a number of traces", "last=20")]
    [InlineData("last=some", "'some'", "last=20")]
    [InlineData("since=yesterday", "'yesterday' is not a date", "since=2026-11-21")]
    [InlineData("branch=none", "no trace", "existing values: main; topic")]
    [InlineData("program=#suit", "no trace", "did you mean suite?")]
    [InlineData("branch=topic,program=suite", "no trace", "remove one")]
    [InlineData("trace=0000000000000005", "could not be read when it was extracted: cut short", "--named failed")]
    public void Selections_that_mean_nothing(string selection, string what, string fix)
    {
        var exception = Assert.Throws<StoreException>(() => Select(selection));

        Assert.True(exception.IsUsage);
        Assert.Contains(what, exception.Problem.What, StringComparison.Ordinal);
        Assert.Equal($"all.db#{selection}", exception.Problem.Where);
        Assert.Contains(fix, exception.Problem.Fix, StringComparison.Ordinal);
    }

    [Fact]
    public void An_empty_store() =>
        Assert.Contains(
            "extract PATH --store all.db",
            Assert.Throws<StoreException>(() => TraceSelection.Parse(StoreAddress.Parse("all.db")).Of([])).Problem.Fix,
            StringComparison.Ordinal
        );

    private static IReadOnlyList<StoredTrace> Select(string selection) =>
        TraceSelection.Parse(StoreAddress.Parse("all.db#" + selection)).Of(s_traces);

    private static StoredTrace Trace(int number, string? recorded, string? branch, string machineClass, string program, string runtime) =>
        new()
        {
            Trace = $"{number:x16}",
            ContentHash = $"{number:x64}",
            Name = $"/traces/{number}",
            Status = StoredTrace.Extracted,
            Format = "recording",
            Bytes = 1,
            RecordedUtc = recorded,
            Branch = branch,
            Commit = branch is null ? null : $"c{number}",
            Machine = $"host{number}",
            MachineClass = machineClass,
            Program = program,
            Runtime = runtime,
        };
}
