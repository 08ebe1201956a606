using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary><c>esp.json</c> as users have it: found in the current folder, written by <c>init</c>.</summary>
public sealed class ConfigurationTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("esp-config-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Init_writes_a_file_that_changes_nothing_and_is_replaced_by_force_only()
    {
        string[] plan = ["--dry-run", "--out", "r1", "-seed", "4"];
        var before = await Tool.RecordInAsync(_folder, plan);
        var init = await Tool.RecordInAsync(_folder, "init");
        Assert.Equal((0, ""), (init.ExitCode, init.Error));
        var after = await Tool.RecordInAsync(_folder, plan);

        var file = Path.Combine(_folder, "esp.json");
        Assert.Equal(0, before.ExitCode);
        Assert.Equal(before.Output, after.Output.Replace($"config:  {file}{Environment.NewLine}", "", StringComparison.Ordinal));
        Assert.NotEqual(before.Output, after.Output);
        Assert.StartsWith($"configuration: {file}", after.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("configuration:", before.Error, StringComparison.Ordinal);

        await File.WriteAllTextAsync(file, "{}", TestContext.Current.CancellationToken);
        var refused = await Tool.RecordInAsync(_folder, "init");
        Assert.Equal(2, refused.ExitCode);
        Assert.Contains("esp.json exists", refused.Error, StringComparison.Ordinal);
        Assert.Contains("--force", refused.Error, StringComparison.Ordinal);
        Assert.Equal("{}", await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));
        Assert.Equal(0, (await Tool.RecordInAsync(_folder, "init", "--force")).ExitCode);
        Assert.Contains(
            "\"maxSlowdown\"",
            await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_dry_run_says_which_file_it_read_and_runs_its_command_in_its_folder()
    {
        var inner = Directory.CreateDirectory(Path.Combine(_folder, "inner")).FullName;
        var file = await WriteAsync(
            """
            {
              "command": ["dotnet", "app.dll", "-n"], // not one of our options
              "record": { "sessions": ["clr"], "out": "r1", "noInlineInfo": true, "alloc": "none" },
            }
            """
        );

        var result = await Tool.RecordInAsync(inner, "--dry-run");

        Assert.Equal((0, $"configuration: {file}"), (result.ExitCode, result.Error.Trim()));
        Assert.Equal(
            $"""
            command: dotnet app.dll -n
            folder:  {Path.Combine(_folder, "r1")}
            in:      {_folder}
            config:  {file}
            session clr: GCs and their pauses, exceptions, lock contention, run marks, iterations of BenchmarkDotNet, HTTP requests (256 MB buffer)
              Microsoft-Windows-DotNETRuntime:0x200004001:Informational
              EtwSerializerProfiler-Runs:0xFFFFFFFFFFFFFFFF:Informational
              BenchmarkDotNet.EngineEventSource:0xFFFFFFFFFFFFFFFF:Informational
              Microsoft-Diagnostics-DiagnosticSource:0x2:Informational

            """,
            result.Output,
            ignoreLineEndingDifferences: true
        );
        Assert.DoesNotContain("config:", (await Tool.RecordInAsync(inner, "--dry-run", "--no-config")).Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Errors_name_file_line_and_column()
    {
        var file = await WriteAsync("{\n  \"suite\": { \"serialisers\": [] }\n}");

        var recorded = await Tool.RecordInAsync(_folder, "--dry-run");
        Assert.Equal((2, ""), (recorded.ExitCode, recorded.Output));
        Assert.Contains($"{file}:2:14", recorded.Error, StringComparison.Ordinal);
        Assert.Contains("did you mean \"serializer\"?", recorded.Error, StringComparison.Ordinal);
        Assert.Equal(0, (await Tool.RecordInAsync(_folder, "record", "--help")).ExitCode);

        var gated = await Tool.AnalyzeInAsync(_folder, "gate", "r1");
        Assert.Equal((2, ""), (gated.ExitCode, gated.Output));
        Assert.Contains($"{file}:2:14", gated.Error, StringComparison.Ordinal);
    }

    [Trait(TestKind.Trait, TestKind.Records)]
    [Fact]
    public async Task A_folder_with_a_file_is_recorded_and_gated_by_it()
    {
        var file = await WriteAsync(
            """
            {
              "suite": { "serializer": ["#SystemTextJson", "#DataContract"], "n": 100, "runs": 1, "test": "serialize" },
              "record": { "out": "r1", "noReport": true, "format": "json" },
              "gate": { "baseline": "r1", "metric": "alloc", "maxAlloc": "50%", "format": "json" },
            }
            """
        );

        var recorded = await Tool.RecordInAsync(_folder);

        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.Contains($"configuration: {file}", recorded.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(_folder, "r1", "report.html")));
        using var description = JsonDocument.Parse(
            await File.ReadAllTextAsync(Path.Combine(_folder, "r1", "recording.json"), TestContext.Current.CancellationToken)
        );
        Assert.Equal(file, description.RootElement.GetProperty("configuration").GetString());
        var table = await Tool.AnalyzeInAsync(_folder, "table", "r1");
        Assert.Contains($"(configured by {file})", table.Output, StringComparison.Ordinal);
        Assert.Matches(@"\bDataContract\b", table.Output);
        Assert.Matches(@"\bSystemTextJson\b", table.Output);
        Assert.DoesNotContain("XmlSerializer", table.Output, StringComparison.Ordinal);

        var gated = await Tool.AnalyzeInAsync(_folder, "gate", "r1");
        Assert.Contains(gated.ExitCode, (int[])[0, 5]); // one run per row is undecided, but nothing exceeds a limit
        Assert.Contains($"configuration: {file}", gated.Error, StringComparison.Ordinal);
        using var gate = JsonDocument.Parse(gated.Output);
        Assert.Equal(50, gate.RootElement.GetProperty("gate").GetProperty("maxAllocPercent").GetDouble(), 6);
    }

    private async Task<string> WriteAsync(string text)
    {
        var file = Path.Combine(_folder, "esp.json");
        await File.WriteAllTextAsync(file, text, TestContext.Current.CancellationToken);
        return file;
    }
}
