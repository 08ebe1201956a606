using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Analysis.Tests.Stacktags;

public sealed class StacktagFileTests
{
    [Fact]
    public void Tags_priorities_hints_and_patterns_are_read()
    {
        var root = Read(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <!-- a comment -->
            <Tag Name="">
              <Tag Name="Outer" Priority="-9" >
                <Entrypoint Module="a.dll" Method="A::*"/>
                <HintTag Name="Inner" Priority="111" HintOperator="Callee" OnlyShowModule="true"><Entrypoint Module="b.*" Method="*"/></HintTag>
              </Tag>
              <HintTag Name="Up" HintOperator="Caller"/>
            </Tag>
            """
        );

        var outer = root.Children[0];
        Assert.Equal(("Outer", -9, StacktagHint.None), (outer.Name, outer.Priority, outer.Hint));
        Assert.Equal(new StacktagEntrypoint("a.dll", "A::*"), Assert.Single(outer.Entrypoints));
        var inner = Assert.Single(outer.Children);
        Assert.Equal(("Inner", 111, StacktagHint.Callee, true), (inner.Name, inner.Priority, inner.Hint, inner.ShowsModuleOnly));
        Assert.Equal(StacktagHint.Caller, root.Children[1].Hint);
    }

    [Theory]
    [InlineData("<Tag Name=\"\"><Tag Name=\"x\" Priority=\"high\"/></Tag>", "line 1", "a whole number as Priority")]
    [InlineData("<Tag Name=\"\">\n<Tag/></Tag>", "line 2", "an attribute Name")]
    [InlineData("<Tag Name=\"\"><HintTag Name=\"x\" HintOperator=\"Sibling\"/></Tag>", "line 1", "Callee or Caller")]
    [InlineData("<Tag Name=\"\"><Tag Name=\"x\"><Entrypoint Module=\"\" Method=\"*\"/></Tag></Tag>", "line 1", "an attribute Module")]
    [InlineData("<Tags/>", "line 1", "the element Tag as root")]
    [InlineData("<Tag Name=\"\">\n\n<Tag", "line 3", "XML")]
    [InlineData("", "line", "XML")]
    [InlineData("<Tag Name=\"\"/>\n<Tag Name=\"\"/>", "line 2", "XML")]
    [InlineData("<!DOCTYPE x [<!ENTITY a \"b\">]><Tag Name=\"&a;\"/>", "line", "XML")]
    public void An_error_names_the_line_and_what_was_expected(string text, string line, string expected)
    {
        var error = Assert.Throws<StacktagFormatException>(() => Read(text));

        Assert.Contains("made-up.stacktags", error.Message, StringComparison.Ordinal);
        Assert.Contains(line, error.Message, StringComparison.Ordinal);
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(20_000)]
    [InlineData(200_000)]
    public void Tags_nested_too_deep_are_an_error_that_names_the_line(int levels)
    {
        var text = string.Concat(Enumerable.Repeat("<Tag Name=\"x\">\n", levels)) + string.Concat(Enumerable.Repeat("</Tag>", levels));

        var error = Assert.Throws<StacktagFormatException>(() => Read(text));

        Assert.Contains($"line {StacktagFile.MaxDepth + 1}", error.Message, StringComparison.Ordinal);
        Assert.Contains($"nested at most {StacktagFile.MaxDepth} deep", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Deep_elements_that_are_not_tags_are_skipped()
    {
        const int Levels = 200_000;
        var text =
            $"<Tag Name=\"\"><Tag Name=\"x\">{string.Concat(Enumerable.Repeat("<Other>", Levels))}{string.Concat(Enumerable.Repeat("</Other>", Levels))}</Tag><Tag Name=\"y\"/></Tag>";

        Assert.Equal(["x", "y"], Read(text).Children.Select(child => child.Name));
    }

    [Fact]
    public void The_deepest_tag_is_read()
    {
        var text =
            string.Concat(Enumerable.Repeat("<Tag Name=\"x\">", StacktagFile.MaxDepth))
            + string.Concat(Enumerable.Repeat("</Tag>", StacktagFile.MaxDepth));

        Assert.Equal(StacktagFile.MaxDepth, Lines(Read(text)).Count);
    }

    [Theory]
    [MemberData(nameof(Roots))]
    public void What_is_written_is_read_back(Stacktag root)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        StacktagFile.Write(root, writer, "made up");

        Assert.Equal(Lines(root), Lines(Read(writer.ToString())));
    }

    public static TheoryData<Stacktag> Roots =>
        [
            SerializerTags.Root,
            CauseCatalog.Root,
            Stacktag.Group(
                "",
                new Stacktag("a < \"b\" & 'c'", 3, [new StacktagEntrypoint("m*", "Type`1[System.Int32]::M*")], [Stacktag.Leaf("child")])
                {
                    Hint = StacktagHint.Caller,
                    ShowsModuleOnly = true,
                }
            ),
        ];

    private static Stacktag Read(string text) => StacktagFile.Read(new StringReader(text), "made-up.stacktags");

    private static List<string> Lines(Stacktag tag, int depth = 0) =>
        [
            $"{depth} {tag.Name} {tag.Priority} {tag.Hint} {tag.ShowsModuleOnly} {string.Join(' ', tag.Entrypoints)}",
            .. tag.Children.SelectMany(child => Lines(child, depth + 1)),
        ];
}
