using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Extraction.Workers;
using EtwSerializerProfiler.Stores.Sqlite;
using EtwSerializerProfiler.Traces;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Stores.Tests.Extraction;

/// <summary>Extracts of a part of a trace, and of runs that events delimit: a trace of the store for each.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ExtractPartTests : IDisposable
{
    private const string Requests = "EspTest-Spans/Request";

    private static readonly string s_trace = TestFiles.Data("others/spans.nettrace");

    private readonly TraceFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("#runs=EspTest-Spans/Request")]
    [InlineData("#runs=EspTest-Spans/BatchBegin,BatchEnd")]
    [InlineData("#runs=activity:SpanTruth.Work/Pack")]
    [InlineData("#from=0.1,to=0.4")]
    [InlineData("#to=0.5,runs=EspTest-Spans/Request")]
    public void The_store_has_the_runs_of_the_trace(string part)
    {
        Assert.Equal(1, Extract(s_trace + part).New);

        foreach (var command in (string[])["runs", "table", "runs --detail"])
        {
            var words = command.Split(' ');
            var (ofTrace, ofStore) = (
                Run([.. words, s_trace + part, "--format", "csv"]),
                Run([.. words, _folder.Store("a.db").Place, "--format", "csv"])
            );
            Assert.True(ofTrace.Code == 0 && ofStore.Code == 0, ofTrace.Error + ofStore.Error);
            Assert.Equal(ofTrace.Output, ofStore.Output);
        }
    }

    [Fact]
    public void Other_runs_of_the_same_file_are_another_trace_and_the_same_ones_are_there_already()
    {
        var all = Extract(s_trace);
        var requests = Extract($"{s_trace}#runs={Requests}");
        var again = Extract($"{s_trace}#runs={Requests}", s_trace);
        var other = Extract($"{s_trace}#runs=activity:SpanTruth.Work/Pack", $"{s_trace}#to=0.3");

        Assert.Equal((1, 1, 0, 2), (all.New, requests.New, again.New, other.New));
        Assert.Equal((0, 2), (again.Changed, again.Known));
        using var store = new SqliteStore(_folder.Store("a.db"));
        Assert.Equal(
            new[] { "", "#runs=" + Requests, "#runs=activity:SpanTruth.Work/Pack", "#to=0.3" }.Select(part => s_trace + part),
            store.Traces().Select(trace => trace.Name).Order(StringComparer.Ordinal)
        );
        Assert.Equal(4, store.Traces().Select(trace => trace.Trace).Distinct().Count());
    }

    [Fact]
    public void The_same_runs_of_the_same_content_under_two_names_are_one_trace()
    {
        foreach (var name in (string[])["a.nettrace", "b.nettrace"])
            File.Copy(s_trace, _folder.Path(name));

        var summary = Extract($"{_folder.Traces}#runs={Requests}");

        Assert.Equal((2, 1), (summary.Traces, summary.New));
        Assert.Equal([$"{_folder.Path("b.nettrace")}#runs={Requests}"], summary.Duplicates);
    }

    [Fact]
    public void The_option_holds_for_all_paths()
    {
        var (code, output, error) = Command(_folder.Traces, s_trace, "--runs", Requests);

        Assert.Equal((0, ""), (code, error));
        Assert.Contains("Traces: 1 new", output, StringComparison.Ordinal);
        using var store = new SqliteStore(_folder.Store("a.db"));
        Assert.Equal($"{s_trace}#runs={Requests}", Assert.Single(store.Traces()).Name);
    }

    [Fact]
    public void A_trace_without_the_events_has_a_row_that_says_so()
    {
        var summary = Extract($"{s_trace}#runs=EspTest-Spans/Requst");

        var (path, error) = Assert.Single(summary.Failed);
        Assert.Equal($"{s_trace}#runs=EspTest-Spans/Requst", path);
        Assert.Contains("did you mean EspTest-Spans/Request", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("#runs=nonsense", "events that delimit runs")]
    [InlineData("#from=5,to=2", "ends before it starts")]
    public void A_part_that_cannot_be_meant_is_an_error_before_anything_is_read(string part, string text)
    {
        Assert.Contains(text, Assert.Throws<TraceFormatException>(() => Extract(s_trace + part)).Message, StringComparison.Ordinal);
        Assert.False(File.Exists(_folder.Store("a.db").Place));
    }

    [Theory]
    [InlineData("nonsense", "does not name events")]
    [InlineData("list", "prints a table")]
    public void An_option_that_cannot_be_meant_is_an_error(string events, string text)
    {
        var (code, _, error) = Command(s_trace, "--runs", events);

        Assert.Equal(2, code);
        Assert.Contains(text, error, StringComparison.Ordinal);
    }

    private ExtractSummary Extract(params string[] paths) =>
        ExtractRun.Run(new ExtractRequest(paths, _folder.Store("a.db")) { Jobs = 1 }, WorkerProgram.Find(), null, CancellationToken.None);

    private (int Code, string Output, string Error) Command(params string[] arguments) =>
        Run(["extract", .. arguments, "--store", _folder.Store("a.db").ToString(), "--jobs", "1"]);
}
