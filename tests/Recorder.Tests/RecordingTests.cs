using System.Text.Json;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>From the command line to the numbers: really recorded, and checked against the recorded program's own measurements.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class RecordingTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-e2e-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task The_suite_is_recorded_every_run_is_found_and_the_numbers_are_the_programs_own()
    {
        // The runtime's budget for young objects grows with the cache of the processor: on a machine with 272 MB of it the runs have no GC.
        var recorded = await Tool.RecordWithAsync(
            ("DOTNET_GCgen0size", "0x1000000"),
            "record",
            "-Serializer",
            "#SystemTextJson,#BinaryFormatter,#DataContract",
            "-N",
            "1000,100000",
            "-runs",
            "2",
            "--alloc",
            "sampled",
            "--out",
            Folder,
            "--format",
            "json"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var table = Parse(recorded.Output);

        // The last line names the page; on the error stream, as a program reads the output.
        var page = Path.Combine(Folder, "report.html");
        Assert.Equal($"Report: {page}", recorded.Error.TrimEnd().Split('\n')[^1].TrimEnd());
        Assert.InRange(new FileInfo(page).Length, 20_000, 3_000_000);

        var kernel = Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken))
            .GetProperty("kernel");
        var hasKernel = kernel.ValueKind == JsonValueKind.Object;
        output.WriteLine(hasKernel ? $"kernel session: {kernel}" : $"no kernel session: {recorded.Error}");

        // 3 serializers × (2 launches × (40 runs that settle or are rehearsed + 2 operations × 2 counts × 1 warm-up) + 2 operations × 2
        // counts × 2 runs)
        var expected = table.GetProperty("runsExpected").GetInt32();
        Assert.Equal(3 * ((2 * (40 + 4)) + 8), expected);
        Assert.Equal(expected, table.GetProperty("runsFound").GetInt32());
        Assert.Equal(3, table.GetProperty("runsBySerializer").GetArrayLength());
        Assert.All(
            table.GetProperty("runsBySerializer").EnumerateArray(),
            count => Assert.Equal(count.GetProperty("expected").GetInt32(), count.GetProperty("found").GetInt32())
        );
        Assert.Equal(12, table.GetProperty("rows").GetArrayLength());
        Assert.Equal(0, table.GetProperty("lostEvents").GetInt64());
        Assert.All(
            table.GetProperty("rows").EnumerateArray(),
            row =>
            {
                Assert.Equal(2, row.GetProperty("runs").GetInt32());
                Assert.True(row.GetProperty("wallMedianMs").GetDouble() > 0);
                Assert.True(row.GetProperty("allocatedBytes").GetDouble() > 0);
                Assert.Equal(JsonValueKind.Number, row.GetProperty("pauseTotalMs").ValueKind);
                Assert.Equal(JsonValueKind.Number, row.GetProperty("jitMs").ValueKind);
                Assert.Equal(hasKernel ? JsonValueKind.Number : JsonValueKind.Null, row.GetProperty("cpuMs").ValueKind);
            }
        );
        Assert.True(
            Row(table, "BinaryFormatter", "Deserialize", 100_000).GetProperty("pauseTotalMs").GetDouble() > 0,
            "it keeps 59 MB alive"
        );

        var analyzed = await Tool.AnalyzeAsync("runs", Folder, "--format", "json");
        Assert.True(analyzed.ExitCode == 0, analyzed.Error);
        var runs = Parse(analyzed.Output).GetProperty("runs").EnumerateArray().ToList();
        Assert.Equal(expected, runs.Count);

        // Both delimiters lie around the program's own clock, however late a loaded machine makes them: how late, benchmarks/ checks
        // (quiet-checks). The marker's wait begins before the clock unless its thread is taken off the processor between falling asleep and
        // the record of that, some 10 µs: at a chance of 1 % for each of 90 runs, more than a tenth of them are so once in 100 million
        // times.
        Assert.All(
            runs.Where(run => run.GetProperty("delimiter").GetString() == "Marks"),
            run => Assert.True(Difference(run, "startDifferenceUs") <= 1 && Difference(run, "stopDifferenceUs") >= -1, run.ToString())
        );
        Assert.All(runs, run => Assert.NotEqual("SelfReported", run.GetProperty("delimiter").GetString()));
        Assert.True(runs.Count(run => Difference(run, "markerDurationDifferenceUs") > 0) > 0.9 * runs.Count);

        if (hasKernel)
        {
            RunAssertions.ContainThreadCpuTime(runs);
            Assert.All(
                runs,
                run =>
                    Assert.True(
                        run.GetProperty("cpuMs").GetDouble() <= (run.GetProperty("wallMs").GetDouble() * Environment.ProcessorCount) + 0.001
                    )
            );
        }

        Assert.All(runs, run => Assert.Equal(run.GetProperty("ownGcsGen012").GetString(), run.GetProperty("gcsGen012").GetString()));
        Assert.All(runs, run => Assert.Equal("SelfReported", run.GetProperty("allocatedBytesSource").GetString()));
        Assert.All(
            runs,
            run =>
                Assert.True(
                    run.GetProperty("probeBeforeNs").GetDouble() > 0
                        && run.GetProperty("probeAfterNs").GetDouble() > 0
                        && run.GetProperty("slowPercent").GetDouble() >= 0,
                    run.ToString()
                )
        );

        // Sampled allocations: the relative error of a run is about 1 / √samples, samples = bytes / 102,400.
        var large = runs.Where(run => run.GetProperty("allocatedBytes").GetDouble() > 20e6).ToList();
        Assert.NotEmpty(large);
        Assert.All(
            large,
            run =>
            {
                var exact = run.GetProperty("allocatedBytes").GetDouble();
                Assert.Equal(
                    1,
                    run.GetProperty("allocatedBytesByEvents").GetDouble() / exact,
                    Chance.StandardErrors / Math.Sqrt(exact / 102_400)
                );
            }
        );
    }

    [Fact]
    public async Task What_was_left_out_of_a_selection_is_in_the_recording_and_below_the_table()
    {
        var recorded = await Tool.RecordAsync(
            "-serializer",
            "#Jil,#SystemTextJson",
            "-test",
            "serialize",
            "-n",
            "10",
            "-runs",
            "1",
            "--sessions",
            "clr",
            "--out",
            Folder
        );

        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.Contains("warning: Jil left out: ", recorded.Error, StringComparison.Ordinal);
        var leftOut = Assert.Single(
            Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken))
                .GetProperty("workload")
                .GetProperty("leftOut")
                .EnumerateArray()
        );
        Assert.Equal("Jil", leftOut.GetProperty("serializer").GetString());
        var text = $"skipped serializers: Jil ({leftOut.GetProperty("reason").GetString()})";
        Assert.Contains("1 of 2 serializers", recorded.Output, StringComparison.Ordinal);
        Assert.Contains(
            text,
            await File.ReadAllTextAsync(Path.Combine(Folder, "report.html"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
        var findings = Parse((await Tool.AnalyzeAsync("table", Folder, "--format", "json")).Output)
            .GetProperty("findings")
            .EnumerateArray();
        Assert.Equal(
            text,
            findings.Single(finding => finding.GetProperty("code").GetString() == "left-out").GetProperty("text").GetString()
        );
        Assert.Contains(text, (await Tool.AnalyzeAsync("table", Path.Combine(Folder, "runs.csv"))).Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_serializer_that_loses_data_fails_the_recording_and_threads_seed_and_environment_are_in_it()
    {
        var plugin = Path.Combine(AppContext.BaseDirectory, "EtwSerializerProfiler.SamplePlugin.dll");
        var recorded = await Tool.RecordAsync(
            "record",
            "-data",
            plugin,
            "-serializer",
            "#Forgetful,#Lines",
            "-test",
            "serialize",
            "-n",
            "3",
            "-runs",
            "1",
            "-threads",
            "1,3",
            "-seed",
            "12",
            "-verify",
            "--no-analyze",
            "--out",
            Folder
        );

        Assert.True(recorded.ExitCode == 1, recorded.Error);
        Assert.Contains(
            "error: Serialize Forgetful n=3: the round trip differs: Orders has 2 items, not 3",
            recorded.Error,
            StringComparison.Ordinal
        );
        Assert.Contains("the recorded program ended with exit code 1", recorded.Error, StringComparison.Ordinal);
        var table = (await Tool.AnalyzeAsync("table", Folder)).Output;
        Assert.Contains("order of serializers by -seed 12", table, StringComparison.Ordinal);
        Assert.Contains("Suite: GC workstation, concurrent", table, StringComparison.Ordinal);

        var analyzed = Parse((await Tool.AnalyzeAsync("table", Folder, "--format", "json")).Output);
        Assert.Equal(12, analyzed.GetProperty("environment").GetProperty("suite").GetProperty("seed").GetInt32());
        Assert.Equal(
            ["Forgetful Serialize 1", "Forgetful Serialize x3 3", "Lines Serialize 1", "Lines Serialize x3 3"],
            analyzed
                .GetProperty("rows")
                .EnumerateArray()
                .Select(row => $"{row.GetProperty("serializer")} {row.GetProperty("test")} {row.GetProperty("threads")}")
                .Order()
        );

        File.Delete(Path.Combine(Folder, "environment.json"));
        Assert.Contains("Suite: environment not recorded", (await Tool.AnalyzeAsync("table", Folder)).Output, StringComparison.Ordinal);
        await File.WriteAllTextAsync(Path.Combine(Folder, "environment.json"), "{ broken", TestContext.Current.CancellationToken);
        Assert.Contains("environment.json", (await Tool.AnalyzeAsync("table", Folder)).Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Allocation_ticks_agree_with_the_exact_bytes_within_100_KB_a_run_and_a_heap()
    {
        var recorded = await Tool.RecordAsync(
            "-serializer",
            "#BinaryFormatter",
            "-test",
            "serialize",
            "-n",
            "100000",
            "-runs",
            "4",
            "-isolate",
            "off",
            "--alloc",
            "ticks",
            "--out",
            Folder,
            "--no-analyze"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.Equal("", recorded.Output);
        Assert.True(File.Exists(Path.Combine(Folder, "alloc.nettrace")));

        var runs = Parse((await Tool.AnalyzeAsync("runs", Folder, "--format", "json")).Output)
            .GetProperty("runs")
            .EnumerateArray()
            .ToList();

        // A tick has the bytes allocated since the last one of its kind (small, large, pinned objects), so a run can miss or gain one of
        // each.
        foreach (var run in runs.Where(run => run.GetProperty("allocatedBytes").GetDouble() > 20e6))
        {
            var difference = run.GetProperty("allocatedBytesByEvents").GetDouble() - run.GetProperty("allocatedBytes").GetDouble();
            output.WriteLine($"{run.GetProperty("allocatedBytes").GetDouble():N0} B exact, ticks {difference:+0;-0} B");
            Assert.InRange(difference / run.GetProperty("allocatedBytes").GetDouble(), -0.02, 0.02);
        }

        Assert.Contains(runs, run => run.GetProperty("allocatedBytes").GetDouble() > 20e6);
    }

    [Fact]
    public async Task A_program_of_ones_own_is_one_run_named_after_it()
    {
        var recorded = await Tool.RecordTableAsync("--out", Folder, "--", Tool.TestProgram, "plain");
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        var row = Assert.Single(Parse(recorded.Output).GetProperty("rows").EnumerateArray().ToList());
        Assert.Equal(
            ("TestProgram", "Run", 1),
            (row.GetProperty("serializer").GetString(), row.GetProperty("operation").GetString(), row.GetProperty("runs").GetInt32())
        );
        Assert.True(row.GetProperty("gen2Gcs").GetInt32() >= 1, "it collects once");
        Assert.Equal(JsonValueKind.Number, row.GetProperty("allocatedBytes").ValueKind); // sampled by default
    }

    [Fact]
    public async Task The_program_gets_the_planned_variables_and_the_recording_says_so()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "a shell prints the variables");
        var recorded = await Tool.RecordAsync(
            "--out",
            Folder,
            "--no-analyze",
            "--jit-all",
            "--",
            "/bin/sh",
            "-c",
            $"echo $DOTNET_RichDebugInfo $DOTNET_ReadyToRun; exec {Tool.TestProgram} plain"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.Equal("1 0", recorded.Output.Trim());

        var variables = Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken))
            .GetProperty("variables")
            .EnumerateArray();
        Assert.Equal(
            ["DOTNET_RichDebugInfo=1 False", "DOTNET_TrackDynamicMethodDebugInfo=1 False", "DOTNET_ReadyToRun=0 False"],
            variables.Select(variable =>
                $"{variable.GetProperty("name").GetString()}={variable.GetProperty("value").GetString()} {variable.GetProperty("setByUser").GetBoolean()}"
            )
        );
    }

    /// <summary>The program starts itself: the child inherits the variables, and is not recorded.</summary>
    [Fact]
    public async Task The_code_of_the_recorded_process_alone_is_kept()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "jitdumps are written on Linux");
        var recorded = await Tool.RecordAsync("--out", Folder, "--no-analyze", "--code", "--", Tool.TestProgram, "spawn", "plain");
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        var recording = Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken));
        var process = Assert.Single(recording.GetProperty("processes").EnumerateArray().ToList());
        var dump = Assert.Single(Directory.EnumerateFiles(Folder, "*.dump"));
        Assert.Equal($"jit-{process.GetProperty("processId").GetInt32()}.dump", Path.GetFileName(dump));
        Assert.True(new FileInfo(dump).Length > 100_000, "it has the code of a runtime's start");
        Assert.Contains(
            recording.GetProperty("variables").EnumerateArray(),
            variable =>
                variable.GetProperty("name").GetString() == "DOTNET_PerfMapJitDumpPath"
                && variable.GetProperty("value").GetString() == Path.GetFullPath(Folder)
        );
    }

    [Fact]
    public async Task A_program_of_ones_own_that_marks_its_runs_is_delimited_by_them()
    {
        var recorded = await Tool.RecordTableAsync("--out", Folder, "--", Tool.TestProgram, "runs", "3");
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        var table = Parse(recorded.Output);
        Assert.Equal((3, 3), (table.GetProperty("runsExpected").GetInt32(), table.GetProperty("runsFound").GetInt32()));
        Assert.InRange(
            Assert.Single(table.GetProperty("rows").EnumerateArray().ToList()).GetProperty("allocatedBytes").GetDouble(),
            3_000_000,
            3_050_000
        );
    }

    [Fact]
    public async Task A_failing_program_is_recorded_and_its_exit_code_reported()
    {
        var recorded = await Tool.RecordAsync("--out", Folder, "--", Tool.TestProgram, "exit", "7");

        Assert.Equal(1, recorded.ExitCode);
        Assert.Contains("exit code 7", recorded.Error, StringComparison.Ordinal);
        Assert.Contains("TestProgram", recorded.Output, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(Folder, "clr.nettrace")));
    }

    [Fact]
    public async Task A_missing_program_and_a_program_without_NET_say_what_to_do()
    {
        var missing = await Tool.RecordAsync("--out", Folder, "--", "no-such-program-4711");
        Assert.Equal(4, missing.ExitCode);
        Assert.Contains("cannot start 'no-such-program-4711'", missing.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Folder));

        Assert.SkipWhen(OperatingSystem.IsWindows(), "uses /bin/true");
        var native = await Tool.RecordAsync("--out", Folder, "--", "/bin/true");
        Assert.Equal(4, native.ExitCode);
        Assert.Contains("no .NET runtime connected", native.Error, StringComparison.Ordinal);
    }

    /// <summary>Without --follow the folder contains nothing useful, and the command can be repeated with it.</summary>
    [Fact]
    public async Task Tools_of_the_SDK_alone_leave_no_folder_so_that_follow_can_use_it()
    {
        // A command of the SDK that starts no other program.
        string[] command = ["--no-report", "--no-analyze", "--out", Folder];
        var passedBy = await Tool.RecordAsync([.. command, "--", Tool.Host, "tool", "list", "--global"]);
        Assert.Equal(4, passedBy.ExitCode);
        Assert.Contains("only .NET SDK tools connected, which are recorded only with --follow", passedBy.Error, StringComparison.Ordinal);
        Assert.Contains($"the files in {Folder} were removed", passedBy.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Folder));

        var followed = await Tool.RecordAsync([.. command, "--follow", "--", Tool.Host, "tool", "list", "--global"]);
        Assert.True(followed.ExitCode == 0, followed.Error);
        Assert.True(File.Exists(Path.Combine(Folder, "clr.nettrace")));
    }

    [Fact]
    public async Task CPU_samples_of_a_native_program_stay_and_are_shown()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "uses a shell");
        var recorded = await Tool.RecordAsync("--out", Folder, "--", "/bin/sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");
        Assert.Equal(4, recorded.ExitCode);
        Assert.SkipUnless(File.Exists(Path.Combine(Folder, "perf.data")), "CPU samples are not permitted here");
        Assert.Contains($"CPU samples were recorded, 'esp-analyze cpu {Folder}' shows them", recorded.Error, StringComparison.Ordinal);
        Assert.Contains("CPU time by module", recorded.Output, StringComparison.Ordinal);

        var shown = await Tool.AnalyzeAsync("cpu", Folder, "--format", "json");
        Assert.True(shown.ExitCode == 0, shown.Error);
        Assert.NotEqual(0, System.Text.Json.JsonDocument.Parse(shown.Output).RootElement.GetProperty("rows").GetArrayLength());
        Assert.Contains("CPU time by module", (await Tool.AnalyzeAsync(Folder)).Output, StringComparison.Ordinal);
    }

    /// <summary>The first screen says where the time went, in terms of a program.</summary>
    [Fact]
    public async Task A_program_without_marks_is_summed_up_as_a_program()
    {
        var recorded = await Tool.RecordAsync("--no-report", "--out", Folder, "--", Tool.TestProgram, "spin", "700", "2");
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        Assert.Contains("TestProgram: ", recorded.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("Serializer", recorded.Output, StringComparison.Ordinal);
        var lines = recorded
            .Output.TrimEnd()
            .Split('\n')
            .SkipWhile(line => !line.StartsWith($"{Folder}: ", StringComparison.Ordinal))
            .ToList();
        var first = lines
            .SkipWhile(line => !line.StartsWith("Method ", StringComparison.Ordinal))
            .Skip(1)
            .First(line => !line.StartsWith(' ')); // the header may have two lines
        Assert.Contains("ThreadClock.Spin", first, StringComparison.Ordinal);
        Assert.InRange(
            double.Parse(Regex.Match(first, @" (\d+\.\d) ").Groups[1].ValueSpan, System.Globalization.CultureInfo.InvariantCulture),
            700,
            1500
        );
        Assert.InRange(lines.Count, 10, 40);
    }

    [Fact]
    public async Task Processes_of_one_program_are_added_up_in_its_summary()
    {
        var recorded = await Tool.RecordAsync(
            "--follow",
            "--no-report",
            "--out",
            Folder,
            "--",
            Tool.TestProgram,
            "spawn",
            "spin",
            "300",
            "1"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        Assert.Contains("TestProgram (2 processes, times summed): ", recorded.Output, StringComparison.Ordinal);
        var row = Assert.Single(
            Parse((await Tool.AnalyzeAsync("table", Folder, "--format", "json")).Output).GetProperty("rows").EnumerateArray().ToList()
        );
        Assert.Equal(2, row.GetProperty("runs").GetInt32());
        if (row.GetProperty("cpuMs").ValueKind == JsonValueKind.Number)
            Assert.Contains(
                string.Create(System.Globalization.CultureInfo.InvariantCulture, $"CPU time {row.GetProperty("cpuMs").GetDouble():0} ms"),
                recorded.Output,
                StringComparison.Ordinal
            );
    }

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public async Task A_signal_ends_the_suite_and_the_recording_is_whole(string signal)
    {
        Signals.SkipUnlessHeard(signal);
        using var recorder = Tool.Start(
            "RecorderDirectory",
            "esp-record.dll",
            ["-serializer", "#SystemTextJson", "-runs", "10000", "--out", Folder]
        );
        var csv = Path.Combine(Folder, "runs.csv");
        await Wait.UntilAsync(() => Tool.LinesOf(csv) >= 50, "measured runs, after 40 others", () => recorder.HasExited);
        await Tool.SignalAsync(recorder, signal);
        var recorded = await Tool.FinishAsync(recorder);

        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.Contains(", stopped by the user", recorded.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("partial", recorded.Output, StringComparison.Ordinal);
        Assert.Contains("SystemTextJson", recorded.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("SocketException", recorded.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_truncated_trace_is_read_up_to_the_damage_and_a_foreign_file_is_refused()
    {
        var recorded = await Tool.RecordAsync("--out", Folder, "--no-analyze", "--", Tool.TestProgram, "runs", "50");
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var trace = Path.Combine(Folder, "clr.nettrace");
        await using (var file = File.OpenWrite(trace))
            file.SetLength(file.Length * 2 / 3);

        var truncated = await Tool.AnalyzeAsync(Folder);
        Assert.Equal(0, truncated.ExitCode);
        Assert.Matches(@"clr\.nettrace: damaged at offset \d+ of \d+ bytes", truncated.Output + truncated.Error);

        await File.WriteAllTextAsync(Path.Combine(_root, "foreign.nettrace"), "this is no trace", TestContext.Current.CancellationToken);
        var foreign = await Tool.AnalyzeAsync(Path.Combine(_root, "foreign.nettrace"));
        Assert.Equal(3, foreign.ExitCode);
        Assert.Contains("foreign.nettrace, offset 0", foreign.Error, StringComparison.Ordinal);

        await File.WriteAllBytesAsync(Path.Combine(_root, "empty.nettrace"), [], TestContext.Current.CancellationToken);
        Assert.Equal(3, (await Tool.AnalyzeAsync(Path.Combine(_root, "empty.nettrace"))).ExitCode);
    }

    private static double Difference(JsonElement run, string name) => run.GetProperty(name).GetDouble();

    private static JsonElement Parse(string json) => JsonDocument.Parse(json).RootElement;

    private static JsonElement Row(JsonElement table, string serializer, string operation, int objects) =>
        table
            .GetProperty("rows")
            .EnumerateArray()
            .Single(row =>
                row.GetProperty("serializer").GetString() == serializer
                && row.GetProperty("operation").GetString() == operation
                && row.GetProperty("objects").GetInt32() == objects
            );
}
