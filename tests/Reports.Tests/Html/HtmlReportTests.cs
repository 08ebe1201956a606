using System.Text.RegularExpressions;
using System.Xml.Linq;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Html;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Reports.Tests.Html;

/// <summary>The page without a browser: well-formed, complete, loads nothing, and has the numbers of the command line.</summary>
public sealed class HtmlReportTests
{
    private const int MaxBytes = 3_000_000;

    [Fact]
    public void A_recording_becomes_one_file_that_loads_nothing()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "r.html");
        var (code, output, error) = AnalyzeTool.Run("report", TestFiles.Recording, "-o", file);

        Assert.Equal((0, file + Environment.NewLine, ""), (code, output, error));
        Assert.Equal([file], Directory.GetFiles(folder.Path));
        var page = new PageText(File.ReadAllText(file));
        Assert.InRange(new FileInfo(file).Length, 10_000, MaxBytes);
        Assert.Equal(
            ["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"],
            Regex.Matches(page.Text, """[a-z]+://[^\s"'<]+""").Select(match => match.Value).Distinct().Order()
        );
        Assert.Empty(page.All("link").Concat(page.All("img")).Concat(page.All("iframe")));
        Assert.All(page.All("a"), link => Assert.StartsWith("#", (string?)link.Attribute("href"), StringComparison.Ordinal));
        Assert.All(page.All("script"), script => Assert.Null(script.Attribute("src")));
        Assert.DoesNotContain("url(", page.Text, StringComparison.Ordinal);
        Assert.Contains(
            page.All("meta"),
            meta => ((string?)meta.Attribute("content"))?.StartsWith("default-src 'none'", StringComparison.Ordinal) == true
        );
    }

    [Fact]
    public void The_page_of_a_program_without_marks_is_about_the_program()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "r.html");
        Assert.Equal(0, AnalyzeTool.Run("report", TestFiles.Unmarked, "-o", file).Code);

        var page = new PageText(File.ReadAllText(file));
        var visible = page.All("body")
            .Single()
            .DescendantNodes()
            .OfType<XText>()
            .Where(text => text.Parent!.Name.LocalName is not ("script" or "style"))
            .Select(text => text.Value);
        Assert.DoesNotContain(visible, text => text.Contains("serializer", StringComparison.OrdinalIgnoreCase));
        Assert.DoesNotContain(
            page.Data("timeline-data")[0].GetProperty("columns").EnumerateArray(),
            column => column.GetString() == "Serializer"
        );
        Assert.Contains(page.All("p"), sentence => sentence.Value.StartsWith("Allocated: 124.0 MB, ", StringComparison.Ordinal));
        Assert.Contains("gen: 0.41 s, CPU time not recorded", page.All("h2").Select(title => title.Value));
        Assert.Equal("Program", page.Tables("table")[0][0][0]);
    }

    [Fact]
    public void A_page_for_others_does_not_say_who_recorded_where()
    {
        using var folder = new TempFolder();
        var recording = Path.Combine(folder.Path, "alice", "r");
        Directory.CreateDirectory(recording);
        foreach (var source in Directory.GetFiles(TestFiles.Recording))
            File.Copy(source, Path.Combine(recording, Path.GetFileName(source)));
        var description = RecordingFile.Read(recording);
        RecordingFile.Write(
            recording,
            description with
            {
                Command = ["/home/alice/app", "--password", "hunter2"],
                WorkingDirectory = "/home/alice",
                Configuration = "/home/alice/esp.json",
                Host = description.Host with { MachineName = "wonderland-7" },
                Losses = [.. description.Losses, "/home/alice/app/x.dll was not read", @"C:\Users\alice\x.dll was not read"],
            }
        );
        string Page(params string[] options)
        {
            var file = Path.Combine(folder.Path, "page.html");
            Assert.Equal(0, AnalyzeTool.Run(["report", recording, "-o", file, .. options]).Code);
            return File.ReadAllText(file);
        }

        string[] secrets = ["alice", "hunter2", "wonderland-7"];
        Assert.All(secrets, text => Assert.Contains(text, Page(), StringComparison.Ordinal));
        var page = Page("--share");
        Assert.All(secrets, text => Assert.DoesNotContain(text, page, StringComparison.Ordinal));
        Assert.Contains("~/app/x.dll was not read", page, StringComparison.Ordinal);
        Assert.Equal(
            new PageText(Page()).Tables("table").SelectMany(table => table),
            new PageText(page).Tables("table").SelectMany(table => table)
        );
    }

    [Fact]
    public void Tables_have_the_texts_of_the_command_line()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "r.html");
        AnalyzeTool.Run("report", TestFiles.Recording, "-o", file);
        var page = new PageText(File.ReadAllText(file));

        var printed = Markdown(AnalyzeTool.Run("table", "--detail", "--format", "markdown", TestFiles.Recording).Output);
        var shown = page.Tables("table");
        Assert.Equal(3, shown.Count);
        Assert.Equal(printed, shown.SelectMany(table => table).Select(row => string.Join('|', row)));
        Assert.Contains(printed, row => row.StartsWith("Broken|Serialize|1|0|failed", StringComparison.Ordinal));

        var findings = AnalyzeTool.Run("findings", TestFiles.Recording).Output;
        Assert.All(
            page.Section("findings").Descendants().Where(element => element.Name.LocalName == "code"),
            code => Assert.Contains(" " + code.Value + " ", findings, StringComparison.Ordinal)
        );
        var runs = page.Data("timeline-data")[0];
        var printedRuns = Markdown(AnalyzeTool.Run("runs", "--format", "markdown", TestFiles.Recording).Output);
        var columns = printedRuns[0].Split('|');
        var names = runs.GetProperty("columns").EnumerateArray().Select(column => column.GetString()!).ToList();
        Assert.Contains("Wall ms", names);
        Assert.Equal(
            printedRuns
                .Skip(1)
                .Select(row => row.Split('|'))
                .Select(row => string.Join('|', names.Select(name => row[Array.IndexOf(columns, name)])))
                .Order(StringComparer.Ordinal),
            runs.GetProperty("runs")
                .EnumerateArray()
                .Select(run => string.Join('|', run.EnumerateArray().Skip(5).Select(cell => cell.GetString())))
                .Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public void Bars_and_their_tables_have_the_shares_of_the_causes_report()
    {
        var (read, report) = MadeUpReport.Build(CausesReportTests.Trace());
        var page = new PageText(MadeUpReport.Write(report));
        var row = read.Result.Rows.Single(row => row.Key.Serializer == "XmlSerializer");
        var own = CauseColumns
            .ForPeople(read.Result.Rows, detail: false, percent: true)
            .Single(column => column.Header == "Own %")
            .Text(row);

        var bar = page.Section("matrix")
            .Descendants()
            .Single(element => element.Name.LocalName == "li" && element.Elements().First().Value == "XmlSerializer");
        Assert.Contains($"Own code {own} %", (string?)bar.Elements().ElementAt(1).Attribute("aria-label"), StringComparison.Ordinal);
        Assert.Equal(SummaryColumns.Main.Single(column => column.Key == "wallMedianMs").Text(row) + " ms", bar.Elements().Last().Value);
        Assert.Contains(page.Tables("matrix")[0], cells => cells[0] == "XmlSerializer" && cells.Contains(own));
    }

    [Fact]
    public void Waits_have_a_flame_graph_of_their_own_where_their_stacks_were_recorded()
    {
        var frames = new FlameFrame[]
        {
            new("App.Program+<WorkAsync>d__1.MoveNext", "App.dll", CodeKind.Managed, false, IsMine: true),
            new("libc.so.6+?", "libc.so.6", CodeKind.Native, false, IsMine: false),
            new("[waiting: lock]", "", null, false, IsMine: false),
        };
        var tree = new FlameTree(
            new SummaryKey("App", "Run", RunKind.Measured, 0, 0, 1),
            2,
            3_000_000,
            [
                new(0, 0, 2, 0, 3_000_000, 0, FlameSet.Own),
                new(1, 1, 2, 0, 3_000_000, 0, FlameSet.Outside),
                new(2, 2, 2, 2, 3_000_000, 3_000_000, (int)WaitReason.Lock),
            ],
            3,
            0
        );
        var page = MadeUpReport.Build(new SyntheticTrace().Run(1, 1000, 3000)).Page;
        var data = new PageText(MadeUpReport.Write(page with { Waits = new FlameSet(frames, [tree], 1_000_000_000), IdleMs = 1250 })).Data(
            "waits-data"
        );

        var nodes = data.GetProperty("flames")
            .GetProperty("trees")[0]
            .GetProperty("nodes")
            .EnumerateArray()
            .Select(number => number.GetInt32())
            .Chunk(7)
            .ToList();
        Assert.Equal(
            [(0, "Own code"), (1, "Platform and runtime"), (2, "waiting: lock")],
            nodes.Select(node => (node[0], data.GetProperty("causes")[node[4]][0].GetString()!))
        );
        Assert.Equal([(2, 0, 3000, 0), (2, 0, 3000, 0), (2, 2, 3000, 3000)], nodes.Select(node => (node[2], node[3], node[5], node[6])));
        Assert.Equal(
            ["App.Program.WorkAsync", "2", "libc.so.6+?", "4", "[waiting: lock]", "8"],
            data.GetProperty("flames").GetProperty("frames").EnumerateArray().Select(value => value.ToString())
        );
        Assert.True(data.GetProperty("ofWaits").GetBoolean());
        var section = new PageText(
            MadeUpReport.Write(page with { Waits = new FlameSet(frames, [tree], 1_000_000_000), IdleMs = 1250 })
        ).Section("waits");
        Assert.Contains("1.25 s of idle waits for work are left out", section.Value, StringComparison.Ordinal);
        Assert.DoesNotContain(
            "waits-view",
            MadeUpReport.Write(page).Replace("#waits-view", "", StringComparison.Ordinal),
            StringComparison.Ordinal
        );
    }

    /// <summary>A method of a generic interface with 95 characters moved the milliseconds out of view.</summary>
    [Fact]
    public void Long_names_are_broken_into_lines()
    {
        using var page = new StringWriter();
        Column<string>[] columns = [new("method", "Method", name => name), new("module", "Module", name => name)];

        HtmlTables.Write(new HtmlWriter(page), Section.ForPeople("Methods", ["Parser.Read", new string('n', 95)], columns));

        var broken = Assert.Single(
            page.ToString().Split("<th scope"),
            cell => cell.Contains("overflow-wrap:anywhere", StringComparison.Ordinal)
        );
        Assert.StartsWith("nnn", broken[(broken.IndexOf('>') + 1)..], StringComparison.Ordinal);
    }

    /// <summary>Names come from the recorded program: they can be any text, and must be escaped.</summary>
    [Fact]
    public void Names_that_are_markup_stay_text()
    {
        const string Evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"' ]]> \u0001 \ud800";
        var trace = new SyntheticTrace().Module("/app/lib.dll").Code(1, 0x1000, "T<!--", "</script>", 1);
        for (var run = 1; run <= 4; run++)
            trace
                .Run(run, run * 10_000, (run * 10_000) + 5000, identity: SyntheticTrace.Identity(Evil, number: run))
                .Sample((run * 10_000) + 100, 1, 0, 0x1008);
        var page = new PageText(MadeUpReport.Write(MadeUpReport.Build(trace).Page));

        Assert.Equal(3, page.All("script").Count);
        Assert.Equal(3, Regex.Count(page.Text, "<script"));
        Assert.Equal(3, Regex.Count(page.Text, "</script"));
        Assert.Empty(page.All("img"));
        Assert.Equal(Evil.Replace('\ud800', '\ufffd'), page.Data("timeline-data")[0].GetProperty("serializers")[0].GetString());
        Assert.Contains(page.Tables("table")[0], row => row[0] == Evil.Replace('\ud800', '\ufffd').Replace('\u0001', '\ufffd'));
        Assert.Contains(
            page.Data("flame-data").GetProperty("flames").GetProperty("frames").EnumerateArray(),
            frame => frame.ValueKind == System.Text.Json.JsonValueKind.String && frame.GetString() == "T<!--.</script>"
        );
    }

    [Fact]
    public void What_was_not_recorded_says_so()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "r.html");
        Assert.Equal(0, AnalyzeTool.Run("report", TestFiles.Unmarked, "-o", file).Code);
        var page = new PageText(File.ReadAllText(file));

        Assert.Contains("not recorded", page.Section("flames").Value, StringComparison.Ordinal);
        Assert.Contains("not recorded", page.Section("methods").Value, StringComparison.Ordinal);
        Assert.False(page.Data("timeline-data")[0].TryGetProperty("cpu", out _));
    }

    /// <summary>The time of each cause in the flame graphs is that of the matrix, GCs included.</summary>
    [Fact]
    public void Flame_graphs_add_up_to_the_causes()
    {
        var (read, report) = MadeUpReport.Build(CausesReportTests.Trace());

        Assert.Equal(read.Result.Rows.Count, report.Flames!.Trees.Count);
        foreach (var tree in report.Flames.Trees)
        {
            var times = read.Result.Rows.Single(row => row.Key with { ObjectCount = 0 } == tree.Runs).Causes!;
            Assert.Equal(times.Own, Own(tree, FlameSet.Own));
            Assert.Equal(times.Outside, Own(tree, FlameSet.Outside));
            for (var cause = 0; cause < CauseCatalog.All.Count; cause++)
                Assert.Equal(times.Causes[cause], Own(tree, cause));
            Assert.Equal(tree.Ticks, tree.Nodes.Where(node => node.Depth == 0).Sum(node => node.InclusiveTicks));
        }

        Assert.Contains(report.Flames.Frames, frame => frame.Name == "[garbage collection]");

        static long Own(FlameTree tree, int cause) => tree.Nodes.Where(node => node.Cause == cause).Sum(node => node.Ticks);
    }

    [Fact]
    public void Usage_and_unreadable_files_are_distinguished()
    {
        using var folder = new TempFolder();
        Assert.Equal(2, AnalyzeTool.Run("report").Code);
        Assert.Equal(3, AnalyzeTool.Run("report", folder.Path).Code);
        var (code, output, error) = AnalyzeTool.Run("report", TestFiles.Recording, "-o", Path.Combine(folder.Path, "missing", "r.html"));
        Assert.Equal((3, ""), (code, output));
        ErrorLines.Check("esp-analyze", error);
    }

    /// <summary>Rows of all tables, cells joined, without rules.</summary>
    private static List<string> Markdown(string text) =>
        [
            .. text.Split('\n')
                .Where(line =>
                    line.StartsWith('|')
                    && !line.StartsWith("| -", StringComparison.Ordinal)
                    && !line.StartsWith("|-", StringComparison.Ordinal)
                    && !line.StartsWith("|:", StringComparison.Ordinal)
                    && !line.StartsWith("| :", StringComparison.Ordinal)
                )
                .Select(line => string.Join('|', line.TrimEnd('\r').Trim('|').Split('|').Select(cell => cell.Trim()))),
        ];
}
