using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Tests.Source;

public sealed class LinePairTests
{
    private static readonly string[] s_before =
    [
        "class P",
        "{",
        "    int Add() => 1;",
        "    int Count()",
        "    {",
        "        return 2;",
        "    }",
        "    int Sum() => 3;",
        "}",
    ];

    [Fact]
    public void An_inserted_line_shifts_no_other()
    {
        string[] after = ["// P", .. s_before[..3], "    // counts", .. s_before[3..]];

        Assert.Equal(["3>4", "6>8", "8>10"], Pairs(after, [("Add", 3), ("Count", 6), ("Sum", 8)], [("Add", 4), ("Count", 8), ("Sum", 10)]));
    }

    [Fact]
    public void A_line_without_samples_on_one_side_is_in_its_place()
    {
        string[] after = ["// P", .. s_before];

        Assert.Equal(["3>4", "6>7"], Pairs(after, [("Add", 3)], [("Count", 7)]));
    }

    [Fact]
    public void Edited_added_and_removed_lines_are_distinguished()
    {
        string[] after = [.. s_before[..5], "        return 20;", "    }", "    int Sum() => 3;", "    int More() => 4;", "}"];

        Assert.Equal(["6>6 edited", "->9"], Pairs(after, [("Count", 6)], [("Count", 6), ("More", 9)]));
        Assert.Equal(["3>-"], Pairs([.. s_before[..2], .. s_before[3..]], [("Add", 3)], []));
    }

    [Fact]
    public void A_method_that_moved_is_found_by_its_text()
    {
        string[] after = [.. s_before[..2], .. s_before[3..8], s_before[2], "}"];

        Assert.Equal(["3>8", "6>5"], Pairs(after, [("Add", 3), ("Count", 6)], [("Add", 8), ("Count", 5)]));
    }

    [Fact]
    public void Lambdas_that_were_numbered_anew_stay_with_their_line_and_two_methods_of_a_line_apart()
    {
        Assert.Equal(["3>4"], Pairs(["// P", .. s_before], [("Add (lambda 1)", 3)], [("Add (lambda 2)", 4)]));
        Assert.Equal(
            ["3>3 Add", "3>3 Add (lambda 1)"],
            Pairs(s_before, [("Add", 3), ("Add (lambda 1)", 3)], [("Add (lambda 1)", 3), ("Add", 3)], withMethods: true)
        );
        Assert.Equal(
            ["3>3 Add", "3>3 Add (lambda 1)"],
            Pairs(s_before, [("Add", 3)], [("Add (lambda 1)", 3), ("Add", 1)], withMethods: true).Take(2)
        );
    }

    [Theory]
    [InlineData("one", "one", "3>3")]
    [InlineData("one", "other", "3>-", "->3")]
    [InlineData("", "", "3>-", "->3")]
    public void Without_source_lines_are_paired_only_of_one_build(string before, string after, params string[] expected)
    {
        var pairs = new LinePairs(
            _ => SourceText.None("not here") with { Checksum = before },
            _ => SourceText.None("not here") with { Checksum = after }
        );

        Assert.Equal(expected, pairs.Of([Line("Add", 3)], [Line("Add", 3)]).Select(pair => Text(pair, withMethods: false)));
    }

    [Fact]
    public void A_file_in_another_folder_is_that_with_the_method()
    {
        var pairs = new LinePairs(
            _ => new SourceText(s_before, ""),
            file => new SourceText(file == "/new/b/P.cs" ? ["// P", .. s_before] : ["nothing"], "")
        );

        var pair = Assert.Single(
            pairs.Of(
                [new OwnLine("Add", "p.dll", new SourceLine("/old/P.cs", 3))],
                [new OwnLine("Add", "p.dll", new SourceLine("/new/b/P.cs", 4))]
            )
        );
        Assert.Equal("/new/b/P.cs", pair.After!.Value.Line.File);
    }

    private static List<string> Pairs(
        string[] after,
        (string Method, int Line)[] first,
        (string Method, int Line)[] second,
        bool withMethods = false
    )
    {
        var pairs = new LinePairs(_ => new SourceText(s_before, ""), _ => new SourceText(after, ""));
        return
        [
            .. pairs
                .Of([.. first.Select(line => Line(line.Method, line.Line))], [.. second.Select(line => Line(line.Method, line.Line))])
                .Select(pair => Text(pair, withMethods)),
        ];
    }

    private static OwnLine Line(string method, int line) => new(method, "p.dll", new SourceLine("/src/P.cs", line));

    private static string Text(LinePair pair, bool withMethods) =>
        FormattableString.Invariant(
            $"{pair.Before?.Line.Line.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "-"}>{pair.After?.Line.Line.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "-"}"
        )
        + (pair.IsEdited ? " edited" : "")
        + (withMethods ? " " + (pair.After ?? pair.Before)!.Value.Method : "");
}
