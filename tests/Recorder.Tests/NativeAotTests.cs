using System.Globalization;
using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Programs compiled ahead of time by NativeAOT: names, shares, events and marks.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class NativeAotTests(NativeAotProgram published, ITestOutputHelper output) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-aot-test-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Samples_have_the_names_of_the_source_and_their_shares_are_the_program_s_own()
    {
        var (program, _) = await published.PublishAsync();
        var recorded = await RecordAsync(program, "round-trips", "2000");
        var words = recorded.Output.Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        var (ser, de) = (Ms(words[1]), Ms(words[3]));

        var rows = await RowsAsync();
        Assert.SkipWhen(rows.Count == 0, "no CPU samples here");

        var user = rows.Where(row => row.GetProperty("codeKind").GetString() != "Kernel").ToList();
        Assert.All(
            ["NativeAotProgram.Work.Ser", "NativeAotProgram.Work.De"],
            name => Assert.Equal("NativeAotProgram.dll", Row(name).GetProperty("module").GetString())
        );
        var nameless = user.Where(row =>
                row.GetProperty("method").GetString() is var name
                && (name!.Contains("+?", StringComparison.Ordinal) || name.Contains("___", StringComparison.Ordinal))
            )
            .ToList();
        Assert.True(Samples(nameless) <= 0.05 * Samples(user), string.Join('\n', nameless));
        Assert.Contains(
            user,
            row =>
                row.GetProperty("module").GetString() == "System.Text.Json.dll"
                && row.GetProperty("method").GetString()!.StartsWith("System.Text.Json.Utf8JsonReader.", StringComparison.Ordinal)
        );
        Assert.Contains(user, row => row.GetProperty("method").GetString()!.Contains("[System.__Canon", StringComparison.Ordinal));

        // A sample is a millisecond of the thread's time, and the program measures by the thread's clock. An ordinary user's samples lack
        // the time in the kernel.
        var (sampledSer, sampledDe) = (SampledMs("NativeAotProgram.Work.Ser"), SampledMs("NativeAotProgram.Work.De"));
        var (sampled, measured) = (sampledSer + sampledDe, ser + de);
        var error = Chance.StandardErrors * Math.Sqrt(measured);
        Assert.InRange(sampled, (Environment.IsPrivilegedProcess ? measured : measured / 2) - error, measured + error);
        var (share, tolerance) = (ser / measured, Chance.OfShare(ser / measured, sampled));
        Assert.InRange(sampledSer / sampled, share - tolerance, share + tolerance);

        JsonElement Row(string method) => Assert.Single(rows, row => row.GetProperty("method").GetString() == method);

        static double Samples(IEnumerable<JsonElement> of) => of.Sum(row => row.GetProperty("samples").GetDouble());

        double SampledMs(string method) => Row(method).GetProperty("inclusiveCpuMs").GetDouble();
    }

    [Fact]
    public async Task Without_its_debug_file_methods_keep_their_names_and_a_hint_says_what_is_missing()
    {
        var program = await published.CopyWithoutDebugFileAsync();
        await RecordAsync(program, "round-trips", "500");

        var rows = await RowsAsync();
        Assert.SkipWhen(rows.Count == 0, "no CPU samples here");

        Assert.Contains(rows, row => row.GetProperty("method").GetString() == "NativeAotProgram.Work.De");
        var text = await Tool.AnalyzeAsync("cpu", Folder);
        Assert.Contains(
            $"in {program}: its debug file NativeAotProgram.dbg is not beside it; keep it there, name its folder by --symbols, or publish with -p:StripSymbols=false",
            text.Output + text.Error,
            StringComparison.Ordinal
        );

        var named = await Tool.AnalyzeAsync("cpu", Folder, "--symbols", Path.GetDirectoryName((await published.PublishAsync()).Path)!);
        Assert.DoesNotContain("its debug file", named.Output + named.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Marks_work_without_a_warning_and_runs_have_their_events()
    {
        var (program, log) = await published.PublishAsync();
        Assert.DoesNotContain("warning", log, StringComparison.OrdinalIgnoreCase);

        await RecordAsync(program, "marks", "3");

        var table = JsonDocument.Parse((await Tool.AnalyzeAsync("table", Folder, "--format", "json")).Output).RootElement;
        Assert.Equal((6, 6), (table.GetProperty("runsExpected").GetInt32(), table.GetProperty("runsFound").GetInt32()));
        var runs = JsonDocument
            .Parse((await Tool.AnalyzeAsync("runs", Folder, "--format", "json")).Output)
            .RootElement.GetProperty("runs")
            .EnumerateArray()
            .ToList();
        Assert.All(runs, run => Assert.Equal(run.GetProperty("ownGcsGen012").GetString(), run.GetProperty("gcsGen012").GetString()));
        Assert.All(
            runs.Where(run => run.GetProperty("test").GetString() == "Serialize"),
            run => Assert.Equal(("0/0/1", 1), (run.GetProperty("gcsGen012").GetString(), run.GetProperty("exceptions").GetInt32()))
        );
    }

    [Fact]
    public async Task A_jitted_program_is_compared_with_the_same_one_compiled_ahead_of_time()
    {
        var (program, _) = await published.PublishAsync();
        var jitted = Path.Combine(_root, "jitted");
        var recorded = await Tool.RecordAsync(
            "--no-analyze",
            "--out",
            jitted,
            "--",
            await published.BuildJittedAsync(),
            "round-trips",
            "1000"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        await RecordAsync(program, "round-trips", "1000");

        var text = (await Tool.AnalyzeAsync("diff", jitted, Folder)).Output;
        Assert.Matches(@"(?m)^Base: .*; \.NET 10\..*\nOther: .*; \.NET NativeAOT 10\.", text);
        var diff = JsonDocument
            .Parse((await Tool.AnalyzeAsync("diff", jitted, Folder, "--by", "all", "--top", "1000", "--format", "json")).Output)
            .RootElement;
        var causes = diff.GetProperty("causes").EnumerateArray().ToDictionary(cause => cause.GetProperty("cause").GetString()!);
        Assert.SkipWhen(causes.Count == 0, "no CPU samples here");
        Assert.Equal(0, Other("JIT threads"));
        Assert.True(Base("JIT threads") > 0, text);

        // What the program's own code calls has one name on both sides.
        Assert.Contains(
            diff.GetProperty("methods").EnumerateArray(),
            method =>
                Of(method, "baselineMs") > 0
                && Of(method, "otherMs") > 0
                && method.GetProperty("method").GetString()!.StartsWith("System.Text.Json.", StringComparison.Ordinal)
        );

        double Base(string cause) => Of(causes[cause], "baselineMs");

        double Other(string cause) => Of(causes[cause], "otherMs");

        static double Of(JsonElement row, string field) => row.GetProperty(field).GetDouble();
    }

    private async Task<ToolResult> RecordAsync(params string[] command)
    {
        var recorded = await Tool.RecordAsync(["--no-analyze", "--out", Folder, "--", .. command]);
        output.WriteLine(recorded.Output + recorded.Error);
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        return recorded;
    }

    private async Task<List<JsonElement>> RowsAsync()
    {
        var result = await Tool.AnalyzeAsync("cpu", Folder, "--inclusive", "--top", "100000", "--format", "json");
        return result.ExitCode == 0 ? [.. JsonDocument.Parse(result.Output).RootElement.GetProperty("rows").EnumerateArray()] : [];
    }

    private static double Ms(string nanoseconds) => double.Parse(nanoseconds, CultureInfo.InvariantCulture) / 1e6;
}
