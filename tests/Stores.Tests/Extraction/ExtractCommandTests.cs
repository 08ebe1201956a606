using System.CommandLine;
using EtwSerializerProfiler.Analyzer.Commands;

namespace EtwSerializerProfiler.Stores.Tests.Extraction;

/// <summary><c>esp-analyze extract</c> as a user sees it.</summary>
public sealed class ExtractCommandTests : IDisposable
{
    private readonly TraceFolder _folder = new();

    [Fact]
    public void The_first_call_says_what_it_did_and_the_second_that_nothing_is_new()
    {
        _folder.AddRecording("r1", 1);
        var bad = _folder.AddNetTrace("bad.nettrace", length: 20);
        var store = _folder.Store("a.db");

        var (code, output, error) = Extract(_folder.Traces, "--store", store.ToString(), "--jobs", "1");

        Assert.Equal((0, ""), (code, error));
        Assert.StartsWith($"failed: {bad}", output, StringComparison.Ordinal);
        Assert.Contains("Traces: 1 new, 0 changed, 0 already there, 1 failed.", output, StringComparison.Ordinal);
        Assert.Contains("by 1 process;", output, StringComparison.Ordinal);
        Assert.Contains($"Store: {store} (", output, StringComparison.Ordinal);

        (code, output, error) = Extract(_folder.Traces, "--store", store.ToString());

        Assert.Equal((0, ""), (code, error));
        Assert.StartsWith(
            "2 of 2 traces are in the store already; nothing new. 1 of the stored ones could not be read; --retry-failed tries them again.",
            output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_path_that_does_not_exist_is_an_error_in_three_lines()
    {
        var (code, output, error) = Extract(_folder.Path("no"), "--store", _folder.Store("a.db").ToString());

        Assert.Equal((3, ""), (code, output));
        Assert.Equal(3, error.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Contains($"where: {_folder.Path("no")}", error, StringComparison.Ordinal);
        Assert.False(File.Exists(_folder.Store("a.db").Place));
    }

    [Fact]
    public void A_folder_without_traces_is_nothing_that_can_be_read()
    {
        File.WriteAllText(_folder.Path("notes.txt"), "");
        Directory.CreateDirectory(_folder.Path("sub"));

        var (code, output, _) = Extract(_folder.Traces, "--store", _folder.Store("a.db").ToString());

        Assert.Equal(3, code);
        Assert.StartsWith("No traces were found.", output, StringComparison.Ordinal);
        Assert.Contains("Skipped: 1 other file, 1 folder (--recursive searches them).", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("there is no table 'casue'", "--only", "run,casue")]
    [InlineData("'x' is not a setting", "--set", "x")]
    [InlineData("'branch' is not a setting", "--set", "branch=")]
    [InlineData("branch is set twice", "--set", "branch=a,branch=b")]
    [InlineData("'nowhere' does not name a store", "--store", "nowhere")]
    [InlineData("a selection applies only to a store that is read", "--store", "a.db#last=1")]
    [InlineData("--jobs takes a number of 1 or more", "--jobs", "0")]
    public void What_cannot_be_meant_is_an_error(string text, params string[] arguments)
    {
        var (code, _, error) = Extract([TestFiles.Recording, .. arguments]);

        Assert.Equal(2, code);
        Assert.Contains(text, error, StringComparison.Ordinal);
    }

    [Fact]
    public void Settings_and_tables_reach_the_store()
    {
        _folder.AddRecording("r1", 1);

        var (code, _, _) = Extract(
            _folder.Traces,
            "--store",
            _folder.Store("a.db").ToString(),
            "--set",
            "branch=release/1,commit=abc",
            "--only",
            "run",
            "--only",
            "gc,cause"
        );

        Assert.Equal(0, code);
        var trace = Assert.Single(_folder.Stored("a.db"));
        Assert.Equal(("release/1", "abc", "run,cause,gc"), (trace.Branch, trace.Commit, trace.Tables));
    }

    public void Dispose() => _folder.Dispose();

    private static (int Code, string Output, string Error) Extract(params string[] arguments)
    {
        using var output = new StringWriter { NewLine = "\n" };
        using var error = new StringWriter { NewLine = "\n" };
        var code = RootCommandFactory.Run(["extract", .. arguments], new InvocationConfiguration { Output = output, Error = error });
        return (code, output.ToString(), error.ToString());
    }
}
