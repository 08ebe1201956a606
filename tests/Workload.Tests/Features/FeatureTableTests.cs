using EtwSerializerProfiler.Workload.Features;
using EtwSerializerProfiler.Workload.Features.Processes;
using EtwSerializerProfiler.Workload.Features.Trials;

namespace EtwSerializerProfiler.Workload.Tests.Features;

public sealed class FeatureTableTests
{
    private static readonly FeatureTable s_table = new(
        [new MadeUp("one", "First", "fields"), new MadeUp("two", "First", "Dictionary<int, …>"), new MadeUp("three", "Second", "format")],
        [
            new FeatureRow(
                "Quick.Json",
                "Quick.Json",
                "1.2.3",
                Cells(new("yes"), new("no", "on writing: KeyException: no `int` key | \"quoted\", <none>"), new("text"))
            ),
            new FeatureRow(
                "Slow",
                "Slow.Library",
                "4.0",
                Cells(
                    new("crashed: exit code 134", "Stack overflow."),
                    new("no", "on writing: KeyException: no `int` key | \"quoted\", <none>"),
                    new("binary")
                )
            ),
            new FeatureRow("Generated", "Generated", "5", Cells(new("own types only"), new("own types only"), new("binary"))),
        ],
        new FeaturePlace(".NET 10.0.1", "Testos 1, x64"),
        new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc)
    );

    [Fact]
    public void Csv_has_a_line_a_cell()
    {
        using var output = new StringWriter { NewLine = "\n" };
        CsvFeatureWriter.Write(s_table, output);
        var lines = output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);

        Assert.Equal(1 + (3 * 3), lines.Length);
        Assert.Equal("serializer,library,version,group,key,feature,seen,detail,runtime,system,measured_utc", lines[0]);
        Assert.Equal(
            "Slow,Slow.Library,4.0,First,two,\"Dictionary<int, …>\",no,\"on writing: KeyException: no `int` key | \"\"quoted\"\", <none>\",.NET 10.0.1,\"Testos 1, x64\",2026-01-02T03:04:05Z",
            lines[5]
        );
    }

    [Theory]
    [InlineData("yes", "", "no", "x", "yes", "")]
    [InlineData("no", "lost", "yes", "", "opt-in", "without opt-in lost")]
    [InlineData(
        "crashed: exit code 134",
        "Stack overflow.",
        "yes",
        "",
        "opt-in",
        "without opt-in crashed: exit code 134 (Stack overflow.)"
    )]
    [InlineData("no", "lost", "no", "lost", "no", "lost")]
    [InlineData("no", "lost", "no", "also lost", "no", "lost; with opt-in also lost")]
    [InlineData("no", "lost", "hung (10 s)", "", "no", "lost; with opt-in hung (10 s)")]
    [InlineData("9 MB", "", "1 MB", "", "9 MB; opt-in: 1 MB", "")]
    [InlineData("9 MB", "", "9 MB", "", "9 MB", "")]
    public void The_trials_without_and_with_opt_in_are_one_cell(
        string without,
        string whyWithout,
        string with,
        string whyWith,
        string seen,
        string detail
    ) =>
        Assert.Equal(
            new FeatureCell(seen, detail),
            FeatureCell.Merge(new FeatureCell(without, whyWithout), new FeatureCell(with, whyWith))
        );

    [Fact]
    public void A_cell_survives_the_way_between_processes()
    {
        var answer = new FeatureAnswer(
            new FeatureAttempt("cycle", WithOptIn: true),
            new FeatureCell("no", "'a\r\n %20 b' \ud83d\ude00 is lost")
        );

        Assert.Equal(answer, FeatureAnswer.Parse(answer.ToLine()));
        Assert.Equal(new FeatureAnswer(new FeatureAttempt("cycle", WithOptIn: false), null), FeatureAnswer.Parse("@esp-feature cycle"));
        Assert.Null(FeatureAnswer.Parse("@esp-feature of a serializer's own"));
        Assert.Null(FeatureAnswer.Parse("something that a serializer wrote"));

        // Half a character cannot be written as UTF-8.
        var half = new FeatureAnswer(new FeatureAttempt("cycle", WithOptIn: false), new FeatureCell("no", "a\ud83d"));
        Assert.Equal("a\ufffd", FeatureAnswer.Parse(half.ToLine())!.Cell!.Detail);
    }

    private static Dictionary<string, FeatureCell> Cells(FeatureCell one, FeatureCell two, FeatureCell three) =>
        new()
        {
            ["one"] = one,
            ["two"] = two,
            ["three"] = three,
        };

    private sealed class MadeUp(string key, string group, string title) : Feature(key, group, title, "It is made up.")
    {
        public override FeatureCell Try(FeatureTrial trial) => throw new NotSupportedException();
    }
}
