using System.Globalization;
using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>The first screen after a program that marks no runs: it names the cause and the method, and fits the screen.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ProgramSummaryTests : IDisposable
{
    /// <summary>Groups of causes in CSV and JSON.</summary>
    private static readonly string[] s_causes =
    [
        "reflectionMs",
        "activatorMs",
        "gcMs",
        "jitCompilerMs",
        "typesMs",
        "locksMs",
        "exceptionsMs",
        "formattingMs",
        "compressionMs",
        "ioMs",
        "emittedMs",
        "runtimeMs",
        "kernelMs",
    ];

    private readonly string _root = Directory.CreateTempSubdirectory("esp-sum-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task GCs_asked_for_and_the_method_that_allocates_are_named()
    {
        var recorded = await Tool.RecordAsync(
            "--alloc",
            "--out",
            Path.Combine(_root, "r"),
            "--",
            Tool.TestProgram,
            "finalizers",
            "20",
            "5000"
        );

        Assert.Equal(0, recorded.ExitCode);
        var words = Words(recorded);
        Assert.Matches(@"Allocated: \d+\.\d MB, \d+\.\d MB/s; Finalizers \d+ %", words);
        var (makes, collects) = (
            await LineAsync("Finalizers.cs", "_ = new Finalizers();"),
            await LineAsync("Finalizers.cs", "GC.Collect();")
        );
        Assert.Matches($@"; \d+ % in Finalizers\.Make at Finalizers\.cs:{makes} JIT: ", words);

        // The screen has room for the findings that cost most. On a loaded machine these can be others, such as JIT compilation.
        var findings = await Tool.AnalyzeAsync("findings", Path.Combine(_root, "r"));
        Assert.Matches(
            $@"the program induces most of its GCs: TestProgram Run \(20 of \d+, \d+ ms of pauses, by Finalizers\.TidyUp at Finalizers\.cs:{collects}, allocates Finalizers \d+ %",
            findings.Output
        );
        Assert.Matches("Hint: the program induces most of its GCs: TestProgram Run |Hint: .* [0-9]+ more: esp-analyze findings ", words);
        Assert.DoesNotContain("erializer", words, StringComparison.Ordinal);
        Assert.Contains(
            "\"ofPrograms\":true",
            await File.ReadAllTextAsync(Path.Combine(_root, "r", "report.html"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_program_that_does_nothing_of_note_fits_too_without_allocations()
    {
        var recorded = await Tool.RecordAsync(
            "--alloc",
            "none",
            "--out",
            Path.Combine(_root, "r"),
            "--",
            Tool.TestProgram,
            "finalizers",
            "1",
            "10"
        );

        Assert.Equal(0, recorded.ExitCode);
        Assert.Contains("Allocated: not recorded\n", Screen(recorded), StringComparison.Ordinal);
    }

    /// <summary>Where perf events are refused, there are few samples; the line is there nevertheless.</summary>
    [Fact]
    public async Task Reflection_names_the_line_that_leads_there()
    {
        var recorded = await Tool.RecordAsync("--out", Path.Combine(_root, "r"), "--", Tool.TestProgram, "mapper", "1500");

        Assert.Equal(0, recorded.ExitCode);
        var line = await LineAsync("Mapper.cs", "// reflection");
        var words = Words(recorded);
        Assert.Matches(
            $@"Hint: reflection and Activator take over 15 % of the CPU time: TestProgram Run \(\d+ %, most from Mapper\.cs:{line} in Mapper\.Map\)",
            words
        );
        Assert.Matches($@"Mapper\.Map (TestProgram\.dll )?Mapper\.cs:{line} \(\d+ %\)", words);
        var page = await File.ReadAllTextAsync(Path.Combine(_root, "r", "report.html"), TestContext.Current.CancellationToken);
        Assert.Matches($@"<b> +\d+\.\d +(~?reflection \d+ % +)?{line}  +s_property\.SetValue\(row, value\); // reflection</b>", page);
    }

    /// <summary>Apart from its loop the line only uses reflection, which calls a setter: own code.</summary>
    [Fact]
    public async Task Lines_have_their_time_by_cause()
    {
        var recorded = await Tool.RecordAsync("--no-analyze", "--out", Path.Combine(_root, "r"), "--", Tool.TestProgram, "mapper", "1500");
        Assert.Equal(0, recorded.ExitCode);
        var line = await LineAsync("Mapper.cs", "// reflection");

        foreach (
            var report in (string[][])
                [
                    ["source", "--of", "Mapper"],
                    ["cpu", "--by", "line"],
                ]
        )
        {
            using var json = JsonDocument.Parse(
                (await Tool.AnalyzeAsync([report[0], Path.Combine(_root, "r"), .. report[1..], "--format", "json"])).Output
            );
            var rows = json
                .RootElement.GetProperty("rows")
                .EnumerateArray()
                .Where(row => row.GetProperty("ownMs").ValueKind == JsonValueKind.Number)
                .ToList();
            Assert.NotEmpty(rows);
            Assert.All(
                rows,
                row => Assert.Equal(Of(row, "inclusiveCpuMs"), Of(row, "ownMs") + s_causes.Sum(cause => Of(row, cause)), 1e-6)
            );
            var mapped = rows.Where(row => row.GetProperty("line").GetInt32() == line).ToList();
            Assert.True(
                mapped.Sum(row => Of(row, "reflectionMs")) > 0.5 * mapped.Sum(row => Of(row, "inclusiveCpuMs")),
                string.Join('\n', mapped)
            );
        }

        static double Of(JsonElement row, string key) => row.GetProperty(key).GetDouble();
    }

    [Fact]
    public async Task A_lock_fight_names_the_method_that_waits_and_the_line()
    {
        var recorded = await Tool.RecordAsync("--out", Path.Combine(_root, "r"), "--", Tool.TestProgram, "fight");

        Assert.Equal(0, recorded.ExitCode);
        var words = Words(recorded);
        Assert.Matches(
            @"Waits by reason: (.*, )?lock \d+\.\d\d s \(6 threads, mostly in LockFight\.GetOrAdd( at LockFight\.cs:\d+)?\)",
            words
        );
        var owner = HasSwitchStacks() ? @", whose owner spends \d+ % of that time in LockFight\.Hold( at LockFight\.cs:\d+)?" : "";
        Assert.Matches(
            $@"Hint: threads wait for locks: TestProgram Run \(\d+ % of thread time waits, \d+ ms of 6 threads in LockFight\.GetOrAdd at LockFight\.cs:\d+ for a System\.Threading\.Monitor{owner}\)",
            words
        );
    }

    [Fact]
    public async Task A_parser_names_the_method_that_computes_and_allocates()
    {
        var recorded = await Tool.RecordAsync("--out", Path.Combine(_root, "r"), "--", Tool.TestProgram, "parse", "40");

        Assert.Equal(0, recorded.ExitCode);
        var words = Words(recorded);
        Assert.Matches(@"; \d+ % in JsonParser\+Reader\.ReadString at JsonParser\.cs:\d+ JIT: ", words);
        Assert.Matches(@"Samples Incl\. ms JsonParser\+Reader\.ReadString (TestProgram\.dll )?JsonParser\.cs:\d+ \(\d+ %\) ", words);
    }

    /// <summary>
    /// ScoreAsync computes after an await, where the thread pool calls it. TransformAsync, which awaits it, then has its time only with the
    /// steps of async methods.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_async_pipeline_names_the_method_that_computes_and_the_one_that_blocks(bool asyncCallers)
    {
        var recorded = await Tool.RecordAsync([
            .. asyncCallers ? ["--async"] : (string[])[],
            "--out",
            Path.Combine(_root, "r"),
            "--",
            Tool.TestProgram,
            "pipeline",
        ]);

        Assert.Equal(0, recorded.ExitCode);
        var line = await LineAsync("Pipeline.cs", "// blocks");
        var words = Words(recorded);
        Assert.Matches(
            $@"Waits by reason: (.*, )?task \d+\.\d\d s \(\d+ threads?, mostly in Pipeline\.Store at Pipeline\.cs:{line}\)",
            words
        );

        // Before the method's own waits stands the sum of all, where other work items waited for tasks, too.
        Assert.Matches(
            $@"Hint: thread-pool threads wait for tasks: TestProgram Run \((\d+ ms, )?\d+ ms of \d+ threads? in Pipeline\.Store at Pipeline\.cs:{line}\)",
            words
        );
        var (computes, awaits) = (InclusiveMs(recorded, "Pipeline.ScoreAsync"), InclusiveMs(recorded, "Pipeline.TransformAsync"));
        if (asyncCallers)
            Assert.InRange(awaits, 0.9 * computes, double.MaxValue);
        else
            Assert.InRange(awaits, 0, 0.5 * computes);
    }

    [Fact]
    public async Task A_web_service_names_its_routes_and_the_method_that_sleeps()
    {
        Assert.SkipUnless(
            Directory.Exists(Path.Combine(Tool.DotNetRoot, "shared", "Microsoft.AspNetCore.App")),
            $"ASP.NET Core is not installed in {Tool.DotNetRoot}"
        );
        var recorded = await Tool.RecordAsync("--out", Path.Combine(_root, "r"), "--", Tool.TestWebProgram, "20");

        Assert.Equal(0, recorded.ExitCode);
        var words = Words(recorded);

        // Five of six routes stand there, those of most time: on a busy machine the sleeping one need not be the first.
        Assert.Matches(
            @"Requests served: 1\d\d, 20 failed(, \d still open)?; median/95 %/max ms: (?:(?!Requests sent).)*GET /sleep/\{ms\}/of/\{name\} [\d.]+/[\d.]+/[\d.]+ \(20\)",
            words
        );

        if (!HasSwitchStacks())
            return;
        var line = await LineAsync(Path.Combine("..", "TestWebProgram", "Program.cs"), "Thread.Sleep(ms);");
        Assert.Matches($@"sleep \d+\.\d\d s \(\d+ threads?, mostly in Program\.Main \(lambda \d\) at Program\.cs:{line}\)", words);
    }

    /// <summary>Whether context switches were recorded with stacks: only root has these.</summary>
    private bool HasSwitchStacks()
    {
        using var recording = JsonDocument.Parse(File.ReadAllText(Path.Combine(_root, "r", "recording.json")));
        return Environment.IsPrivilegedProcess && recording.RootElement.GetProperty("kernel").GetProperty("sampler").GetString() == "perf";
    }

    /// <summary>Number of the line of a source file of the program that ends with a text.</summary>
    private static async Task<int> LineAsync(string file, string end)
    {
        var source = await File.ReadAllLinesAsync(
            Path.Combine(TestFiles.Root, "tests", "TestProgram", file),
            TestContext.Current.CancellationToken
        );
        return Array.FindIndex(source, text => text.EndsWith(end, StringComparison.Ordinal)) + 1;
    }

    /// <summary>The last column of a method's row; 0 when the first screen does not show the method.</summary>
    private static double InclusiveMs(ToolResult recorded, string method)
    {
        var row = Array.Find(Screen(recorded).Split('\n'), row => row.StartsWith(method + " ", StringComparison.Ordinal));
        return row is null ? 0 : double.Parse(row[row.LastIndexOf(' ')..], CultureInfo.InvariantCulture);
    }

    /// <summary>The first screen as one line.</summary>
    private static string Words(ToolResult recorded) =>
        string.Join(' ', Screen(recorded).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));

    /// <summary>The text printed below the program's own output.</summary>
    private static string Screen(ToolResult recorded)
    {
        var output = recorded.Output.ReplaceLineEndings("\n");
        var screen = output[output.IndexOf("/r: ", StringComparison.Ordinal)..];
        var lines = screen.TrimEnd('\n').Split('\n');
        Assert.InRange(lines.Length, 10, 40);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 100));
        return screen;
    }
}
