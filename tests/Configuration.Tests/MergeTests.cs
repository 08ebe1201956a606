namespace EtwSerializerProfiler.Configuration.Tests;

/// <summary>The command line overrides the file, option by option.</summary>
public sealed class MergeTests
{
    [Fact]
    public void The_file_gives_what_the_command_line_does_not()
    {
        using var folder = new TempFolder();
        var path = folder.Write(
            "esp.json",
            """{ "suite": { "n": [100, 1000], "runs": 3, "steady": true, "verify": false, "seed": "none" }, "record": { "sampleRate": 500, "dumpOn": ["A.B~x=y", "C:2"] } }"""
        );

        var (result, errors, said) = Tools.Record(["record", "--config", path, "-N", "7"]);

        Assert.Empty(errors);
        Assert.Equal("", said);
        Assert.Equal([7], result.GetValue<IReadOnlyList<int>>("-n"));
        Assert.Equal((3, 500), (result.GetValue<int>("-runs"), result.GetValue<int>("--sample-rate")));
        Assert.True(result.GetValue<bool>("-steady"));
        Assert.False(result.GetValue<bool>("-verify"));
        Assert.DoesNotContain(result.Tokens, token => token.Value == "-verify");
        Assert.Equal(["A.B~x=y", "C:2"], result.GetValue<string[]>("--dump-on")!);
        Assert.Equal(0, result.GetValue<int>("-seed"));
    }

    [Theory]
    [InlineData("-steady:false", "-steady")]
    [InlineData("--no-report=false", "--no-report")]
    public void A_flag_of_the_file_is_taken_back(string argument, string option)
    {
        using var folder = new TempFolder();
        var path = folder.Write("esp.json", """{ "suite": { "steady": true }, "record": { "noReport": true } }""");

        Assert.True(Tools.Record(["record", "--config", path]).Result.GetValue<bool>(option));
        var (result, errors, _) = Tools.Record(["record", "--config", path, argument]);
        Assert.Empty(errors);
        Assert.False(result.GetValue<bool>(option));
    }

    [Fact]
    public void The_opposite_of_an_option_replaces_it()
    {
        using var folder = new TempFolder();
        var path = folder.Write("esp.json", """{ "record": { "noStackDump": true } }""");

        var (result, errors, _) = Tools.Record(["record", "--config", path, "--stack-dump", "512"]);

        Assert.Empty(errors);
        Assert.False(result.GetValue<bool>("--no-stack-dump"));
    }

    [Fact]
    public void Paths_are_relative_to_the_file()
    {
        using var folder = new TempFolder();
        var path = folder.Write("esp.json", """{ "suite": { "plugin": ["bin/a.dll"], "keep": "/kept" }, "record": { "out": "r1" } }""");

        var (result, _, _) = Tools.Record(["record", "--config", path]);

        Assert.Equal(Path.Combine(folder.Path, "r1"), result.GetValue<string>("--out"));
        Assert.Equal([Path.Combine(folder.Path, "bin", "a.dll")], result.GetValue<string[]>("-plugin")!);
        Assert.Equal("/kept", result.GetValue<string>("-keep"));
        Assert.Equal("r2", Tools.Record(["record", "--config", path, "--out", "r2"]).Result.GetValue<string>("--out"));
    }

    [Fact]
    public void Sections_that_mean_nothing_are_left_out_and_said()
    {
        using var folder = new TempFolder();
        var path = folder.Write(
            "esp.json",
            """{ "suite": { "runs": 3 }, "etw": { "preset": "allocation" }, "gate": { "maxSlowdown": 7 } }"""
        );

        var (own, errors, said) = Tools.Record(["record", "--config", path, "--dry-run"], "dotnet", "app.dll");
        Assert.Empty(errors);
        Assert.DoesNotContain(own.Tokens, token => token.Value == "-runs");
        Assert.Contains($"configuration: {path} (not used here: \"suite\", \"etw\")", said, StringComparison.Ordinal);

        var (byEtw, more, _) = Tools.Record(["record", "--config", path, "--sessions", "xperf"]);
        Assert.Empty(more);
        Assert.NotNull(byEtw.GetResult("--preset"));
    }

    [Fact]
    public void An_error_that_the_file_has_a_part_in_names_its_place()
    {
        using var folder = new TempFolder();
        var path = folder.Write("esp.json", "{ \"record\": {\n  \"sampleRate\": 500 } }");

        var (_, errors, _) = Tools.Record(["record", "--config", path, "--sessions", "xperf"]);

        Assert.Contains(
            $"(--sample-rate is set in {path}:2:3; --no-config ignores the file)",
            Assert.Single(errors),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Options_of_the_suite_and_a_command_of_the_file_exclude_each_other()
    {
        using var folder = new TempFolder();
        var path = folder.Write("esp.json", """{ "command": ["./app", "x"] }""");

        Assert.Contains(
            $"\"command\" in {path}",
            Assert.Single(Tools.Record(["record", "--config", path, "-n", "10"]).Errors),
            StringComparison.Ordinal
        );
        Assert.Empty(Tools.Record(["record", "--config", path]).Errors);
        Assert.Empty(Tools.Record(["record", "--no-config", "-n", "10"]).Errors);
    }

    [Fact]
    public void Attach_takes_the_recordings_options_that_it_has()
    {
        using var folder = new TempFolder();
        var path = folder.Write("esp.json", """{ "suite": { "runs": 3 }, "record": { "sampleRate": 500, "mode": "circular:4MB" } }""");

        var (result, errors, _) = Tools.Record(["attach", "1", "--config", path]);

        Assert.Empty(errors);
        Assert.Equal(500, result.GetValue<int>("--sample-rate"));
    }

    [Fact]
    public void Help_and_other_commands_read_no_file()
    {
        Assert.Empty(Tools.Record(["record", "--config", "/no/such/file", "--help"]).Said);
        Assert.Empty(Tools.Analyze("diff", "a", "b").Said);
    }

    [Fact]
    public void A_gate_takes_limits_and_baseline_of_the_file()
    {
        using var folder = new TempFolder();
        var path = folder.Write(
            "esp.json",
            """{ "gate": { "maxSlowdown": "7%", "maxAlloc": 2, "metric": ["wall", "gc"], "baseline": "base" } }"""
        );

        var (result, _) = Tools.Analyze("gate", "r1", "--config", path, "--max-alloc", "3%");

        Assert.Empty(result.Errors);
        Assert.Equal((0.07, 0.03), (result.GetValue<double>("--max-slowdown"), result.GetValue<double>("--max-alloc")));
        Assert.Equal([Path.Combine(folder.Path, "base")], result.GetValue<string[]>("--baseline")!);

        var (named, _) = Tools.Analyze("gate", "r0", "r1", "--config", path);
        Assert.Empty(named.Errors);
        Assert.Empty(named.GetValue<string[]>("--baseline")!);

        Assert.Contains(
            "nothing to compare with",
            Assert.Single(Tools.Analyze("gate", "r1", "--no-config").Result.Errors).Message,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "named twice",
            Assert.Single(Tools.Analyze("gate", "r0", "r1", "--baseline", "x", "--no-config").Result.Errors).Message,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("{ \"gate\": { \"maxSlowdown\": \"much\" } }", "'much' is not a percentage")]
    [InlineData("{ \"gate\": { \"metric\": \"time\" } }", "unknown measure 'time'")]
    [InlineData("{ \"gate\": { \"maxslowdown\": 5 } }", "did you mean \"maxSlowdown\"?")]
    [InlineData("{ \"suite\": { \"serialisers\": 5 } }", "did you mean \"serializer\"?")]
    public void A_gate_refuses_what_is_wrong(string text, string problem)
    {
        using var folder = new TempFolder();

        var error = Assert.Throws<ConfigurationException>(() => Tools.Analyze("gate", "r1", "--config", folder.Write("esp.json", text)));

        Assert.Contains(problem, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_gate_by_file_says_its_limits()
    {
        using var folder = new TempFolder();
        var path = folder.Write(
            "esp.json",
            $$"""{ "gate": { "maxSlowdown": "7%", "metric": "alloc", "baseline": {{System.Text.Json.JsonSerializer.Serialize(TestFiles.Recording)}}, "format": "json" } }"""
        );
        using var output = new StringWriter();
        using var error = new StringWriter();

        var code = Analyzer.Commands.RootCommandFactory.Run(
            ["gate", TestFiles.Recording, "--config", path],
            new System.CommandLine.InvocationConfiguration { Output = output, Error = error }
        );

        Assert.Contains(code, (int[])[0, 5]);
        using var json = System.Text.Json.JsonDocument.Parse(output.ToString());
        Assert.Equal(7, json.RootElement.GetProperty("gate").GetProperty("maxSlowdownPercent").GetDouble(), 6);
    }
}
