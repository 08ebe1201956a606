using System.Text.RegularExpressions;
using EtwSerializerProfiler.Foundation.Terminals;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Writers;

namespace EtwSerializerProfiler.Reports.Tests.Terminals;

/// <summary>Tables on terminals of 80 columns and more; five names need that width.</summary>
public sealed partial class TableLayoutTests
{
    [Theory]
    [InlineData("runs")]
    [InlineData("jit")]
    [InlineData("exceptions")]
    public void A_table_fits_and_keeps_every_number(string command)
    {
        var whole = Tables(Written(command, default));
        foreach (var width in (int[])[80, 100, 119, 120, 121, 160, 200, 400])
        {
            var fitted = Tables(Written(command, new TextLook(width)));
            Assert.All(fitted, line => Assert.True(line.Length <= width, $"{width}: {line}"));
            Assert.Equal(Numbers(whole), Numbers(fitted));
        }
    }

    /// <summary>Columns that the main table leaves out are named, and the others are in one table.</summary>
    [Theory]
    [InlineData(80)]
    [InlineData(120)]
    [InlineData(200)]
    public void The_main_table_leaves_columns_out_and_says_which(int width)
    {
        var text = Written("table", new TextLook(width));
        var headers = HeadersOf(text);
        var leftOut = text.Split(Environment.NewLine)
            .First(line => line.StartsWith("(omitted to fit", StringComparison.Ordinal))
            .Split(": ")[1]
            .Split(';')[0]
            .Split(", ");

        Assert.All(Tables(text), line => Assert.True(line.Length <= width, line));
        Assert.Equal(["Serializer", "Test", "N", "Runs", "Median"], headers.Take(5));
        Assert.NotEmpty(leftOut);
        Assert.Equal(HeadersOf(Written("table", default)).Length, headers.Length + leftOut.Length);
    }

    /// <summary>Tables narrower than the terminal are unchanged.</summary>
    [Fact]
    public void A_wide_terminal_changes_nothing() => Assert.Equal(Written("table", default), Written("table", new TextLook(1000)));

    [Fact]
    public void Colours_add_nothing_but_colours()
    {
        var coloured = Written("table", new TextLook(Colour: true));

        Assert.DoesNotContain('\u001b', Written("table", new TextLook(Width: 100)));
        Assert.Contains('\u001b', coloured);
        Assert.Equal(Written("table", default), Escapes().Replace(coloured, ""));
    }

    [Theory]
    [InlineData("Median ms", 5, "Median\nms")]
    [InlineData("Max pause ms", 8, "Max\npause ms")]
    [InlineData("Max pause ms", 30, "Max pause ms")]
    [InlineData("B/object", 3, "B/object")]
    public void Headers_break_between_words(string header, int cell, string expected) =>
        Assert.Equal(expected, TableLayout.Break(header, cell));

    [Fact]
    public void A_shortened_name_is_as_long_as_allowed()
    {
        for (var length = 12; length < 40; length++)
        {
            var shortened = TableLayout.Shorten("System.Text.Json.Utf8JsonReader.ConsumeNextTokenOrRollback", length);
            Assert.Equal(length, shortened.Length);
            Assert.StartsWith("Sys", shortened, StringComparison.Ordinal);
            Assert.EndsWith("lback", shortened, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("App.Parser.Read", 40, "App.Parser.Read")]
    [InlineData("Microsoft.CodeAnalysis.CSharp.Binder.BindExpression", 36, "…CSharp.Binder.BindExpression")]
    [InlineData("Microsoft.CodeAnalysis.CSharp.Binder.BindExpression", 24, "…Binder.BindExpression")]
    [InlineData("Microsoft.CodeAnalysis.CSharp.Binder.BindExpression", 20, "Binder…indExpression")]
    [InlineData("App.Cache`1[System.Collections.Generic.List`1[System.Int32]].Get", 56, "App.Cache`1[…].Get")]
    [InlineData("App.Cache`1[System.Int32].Get", 27, "…Cache`1[System.Int32].Get")]
    [InlineData("App.Cache`1[System.Int32].Get`1[System.String]", 25, "App.Cache`1[…].Get`1[…]")]
    [InlineData("Company.Product.Parser+Reader..ctor", 20, "…Parser+Reader..ctor")]
    [InlineData("Company.Product.Parser.Read [inlined]", 24, "…Parser.Read [inlined]")]
    [InlineData("Company.Product.Parser.Read at Parser.cs:12", 30, "…Parser.Read at Parser.cs:12")]
    [InlineData("a_native_function_of_some_length", 16, "a_nat…ome_length")]
    public void The_name_of_a_method_loses_its_namespace_before_its_type_arguments(string name, int length, string expected)
    {
        Assert.Equal(expected, ShortTexts.Method(name, length));
        Assert.InRange(expected.Length, 1, length);
    }

    /// <summary>A method of 80 characters beside four columns of numbers, none of them left out or in another table.</summary>
    [Fact]
    public void A_name_gives_way_before_columns_do()
    {
        Column<string>[] columns =
        [
            new("method", "Method", name => name) { Shorten = ShortTexts.Method },
            new("module", "Module", _ => "Microsoft.CodeAnalysis.CSharp.dll") { LeftOutFirst = 1 },
            .. Enumerable.Range(0, 3).Select(number => new Column<string>($"n{number}", $"Number {number}", _ => 12.5, "0.0")),
        ];
        var layout = TableLayout.Fit(
            Section.ForPeople("", ["Microsoft.CodeAnalysis.CSharp.Symbols.SourceMemberContainerTypeSymbol.GetMembers"], columns) with
            {
                IsCompact = true,
            },
            100
        );

        Assert.Single(layout.Parts);
        Assert.Empty(layout.LeftOut);
        Assert.EndsWith("TypeSymbol.GetMembers", layout.Rows[0][0], StringComparison.Ordinal);
        Assert.Equal("Microsoft.CodeAnalysis.CSharp.dll", layout.Rows[0][1]);
    }

    /// <summary>The header breaks only in the narrow table: in the other one a column left out makes room for it.</summary>
    [Theory]
    [InlineData(40, 1, "Incl. ms")]
    [InlineData(24, 2, "Incl.\nms")]
    public void Headers_stay_whole_where_they_fit(int width, int lines, string header)
    {
        Column<string>[] columns =
        [
            new("method", "Method", name => name),
            new("module", "Module", _ => "System.Private.CoreLib.dll") { LeftOutFirst = 1 },
            new("ms", "Incl. ms", _ => 1.5, "0.0"),
        ];

        var layout = TableLayout.Fit(Section.ForPeople("", ["Parser.ReadStringValue"], columns) with { IsCompact = true }, width);

        Assert.Equal(["Module"], layout.LeftOut);
        Assert.Equal(header, layout.Headers[2]);
        Assert.Equal(lines, layout.HeaderLines);
    }

    private static string Written(string command, TextLook look)
    {
        var text = new StringWriter();
        using var output = new TerminalWriter(text, look);
        var code = Analyzer.Commands.RootCommandFactory.Run(
            [command, TestFiles.Recording],
            new System.CommandLine.InvocationConfiguration { Output = output, Error = TextWriter.Null }
        );
        Assert.Equal(0, code);
        return text.ToString();
    }

    /// <summary>Lines of tables: those with rules.</summary>
    private static List<string> Tables(string text) =>
        [
            .. text.Split(Environment.NewLine)
                .Where(line => line.Contains('│', StringComparison.Ordinal) || line.Contains('─', StringComparison.Ordinal)),
        ];

    private static string[] HeadersOf(string text) =>
        Tables(text)[0].Split('│', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Numbers with decimals (names have none), sorted, because columns may be in other tables.</summary>
    private static List<string> Numbers(List<string> lines) =>
        [
            .. lines
                .SelectMany(line => line.Split('│'))
                .Select(cell => cell.Trim())
                .Where(cell => Number().IsMatch(cell))
                .Order(StringComparer.Ordinal),
        ];

    [GeneratedRegex(@"^[+-]?\d+\.\d+$")]
    private static partial Regex Number();

    [GeneratedRegex(@"\u001b\[[0-9;]*m")]
    private static partial Regex Escapes();
}
