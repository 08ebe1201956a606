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
        var screen = Screen(recorded);
        Assert.Matches(@"Allocated: \d+\.\d MB, \d+\.\d MB/s; Finalizers \d+ %", screen);
        var words = string.Join(' ', screen.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        var (makes, collects) = (
            await LineAsync("Finalizers.cs", "_ = new Finalizers();"),
            await LineAsync("Finalizers.cs", "GC.Collect();")
        );
        Assert.Matches($@"; \d+ % in Finalizers\.Make at Finalizers\.cs:{makes} JIT: ", words);
        Assert.Matches(
            $@"Hint: the program induces most of its GCs: TestProgram Run \(20 of \d+, \d+ ms of pauses, by Finalizers\.TidyUp at Finalizers\.cs:{collects}, allocates Finalizers \d+ %",
            words
        );
        Assert.DoesNotContain("erializer", screen, StringComparison.Ordinal);
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
        var words = string.Join(' ', Screen(recorded).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
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
        var recorded = await Tool.RecordAsync("--out", Path.Combine(_root, "r"), "--", Tool.TestProgram, "mapper", "1500");
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

    /// <summary>Number of the line of a source file of the program that ends with a text.</summary>
    private static async Task<int> LineAsync(string file, string end)
    {
        var source = await File.ReadAllLinesAsync(
            Path.Combine(TestFiles.Root, "tests", "TestProgram", file),
            TestContext.Current.CancellationToken
        );
        return Array.FindIndex(source, text => text.EndsWith(end, StringComparison.Ordinal)) + 1;
    }

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
