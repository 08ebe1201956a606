using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// Recording in a container: with its own process ids, /proc and /tmp, no capability, and a filter that refuses perf events.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
[NeedsProgram("bubblewrap", "bwrap")]
public sealed class ContainerTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-container-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task A_program_that_is_started_in_a_container_has_its_causes()
    {
        var recorded = await RunAsync([
            Tool.TestProgram,
            "refused",
            Tool.Host,
            Path.Combine(Tool.RecorderDirectory, "esp-record.dll"),
            "--no-report",
            "--out",
            Folder,
            "-serializer",
            "#SystemTextJson",
            "-n",
            "100000",
            "-runs",
            "3",
        ]);
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.Contains("note: CPU time is sampled by ptrace, because event cpu-clock", recorded.Error, StringComparison.Ordinal);

        var recording = JsonDocument
            .Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken))
            .RootElement;
        Assert.True(recording.GetProperty("complete").GetBoolean());
        Assert.Equal("ptrace", recording.GetProperty("kernel").GetProperty("sampler").GetString());
        var causes = JsonDocument
            .Parse((await Tool.AnalyzeAsync("causes", Folder, "--format", "json")).Output)
            .RootElement.GetProperty("rows")
            .EnumerateArray()
            .ToList();
        Assert.NotEmpty(causes);
        Assert.All(causes, row => Assert.True(row.GetProperty("samplesBelowEntry").GetInt64() > 0));
    }

    /// <summary>A sidecar without a volume: the port is reached through /proc.</summary>
    [Fact]
    public async Task A_program_with_a_tmp_of_its_own_is_attached_to_by_the_path_that_is_named()
    {
        using var container = Start([], [Tool.TestProgram, "naps", "20"]);
        try
        {
            var program = await NappingAsync(container);
            var temporary = $"/proc/{program}/root/tmp";
            var refused = await Tool.RecordAsync("attach", $"{program}", "--sessions", "clr", "--duration", "1", "--out", Folder);
            Assert.Equal(4, refused.ExitCode);
            Assert.Contains($"its diagnostic port lies in {temporary}", refused.Error, StringComparison.Ordinal);
            Assert.Contains(
                $"run TMPDIR={temporary} esp-record attach {program} as the same user",
                refused.Error,
                StringComparison.Ordinal
            );

            var recorded = await Tool.RecordWithAsync(
                ("TMPDIR", temporary),
                "attach",
                $"{program}",
                "--sessions",
                "clr",
                "--duration",
                "1",
                "--no-analyze",
                "--out",
                Folder
            );
            Assert.True(recorded.ExitCode == 0, recorded.Error);
            Assert.True(File.Exists(Path.Combine(Folder, "clr.nettrace")));
        }
        finally
        {
            container.Kill(entireProcessTree: true);
        }
    }

    /// <summary>From the host: the runtime's events would name threads by ids that perf events do not know.</summary>
    [Fact]
    public async Task A_program_with_process_ids_of_its_own_is_refused_with_the_way_out()
    {
        using var container = Start(["--unshare-pid"], [Tool.TestProgram, "naps", "20"]);
        try
        {
            var program = await NappingAsync(container);
            var refused = await Tool.RecordAsync("attach", $"{program}", "--sessions", "clr", "--duration", "1", "--out", Folder);
            Assert.Equal(4, refused.ExitCode);
            Assert.Contains("it runs in a container with its own process ids", refused.Error, StringComparison.Ordinal);
            Assert.Contains("docker run --pid container:NAME", refused.Error, StringComparison.Ordinal);
        }
        finally
        {
            container.Kill(entireProcessTree: true);
        }
    }

    [Fact]
    public async Task A_temporary_folder_that_may_not_be_read_holds_no_port()
    {
        using var container = Start([], [Tool.TestProgram, "naps", "20"]);
        try
        {
            var program = await NappingAsync(container);
            var refused = await Tool.RecordWithAsync(
                ("TMPDIR", Path.Combine(_root, "none")),
                "attach",
                $"{program}",
                "--sessions",
                "clr",
                "--duration",
                "1",
                "--out",
                Folder
            );
            Assert.Equal(4, refused.ExitCode);
            Assert.Contains("no runtime events are recorded", refused.Error, StringComparison.Ordinal);
        }
        finally
        {
            container.Kill(entireProcessTree: true);
        }
    }

    /// <summary>Waits until the test program naps.</summary>
    /// <returns>Its process id here.</returns>
    private static async Task<int> NappingAsync(Process container)
    {
        var line = await container.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken);
        Assert.SkipWhen(line is null, "no container can be made here");
        Assert.Equal("napping", line);
        var process = container.Id;
        while (!File.ReadAllText($"/proc/{process}/cmdline").StartsWith(Tool.TestProgram, StringComparison.Ordinal))
            // Bwrap's processes have one child each.
            process = int.Parse(File.ReadAllText($"/proc/{process}/task/{process}/children").Trim(), CultureInfo.InvariantCulture);
        return process;
    }

    /// <summary>Runs a command in a new container.</summary>
    private async Task<ToolResult> RunAsync(string[] command)
    {
        using var container = Start(["--unshare-all", "--cap-drop", "ALL"], command);
        var result = await Tool.FinishAsync(container);
        Assert.SkipWhen(result.Error.StartsWith("bwrap: ", StringComparison.Ordinal), $"no container can be made here: {result.Error}");
        return result;
    }

    /// <summary>
    /// Starts a command in a container that sees this machine's files and has its own /tmp and /proc; it writes to this test's folder.
    /// </summary>
    private Process Start(string[] isolation, string[] command)
    {
        string[] files = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", _root, _root];
        var start = new ProcessStartInfo(NeedsProgramAttribute.Find("bwrap")!, [.. isolation, .. files, "--", .. command])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["DOTNET_ROOT"] = Tool.DotNetRoot;
        start.Environment["TMPDIR"] = "/tmp";
        return Process.Start(start)!;
    }
}
