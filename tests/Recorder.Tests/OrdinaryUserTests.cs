using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// Waits that an ordinary user records: context switches without stacks, or without rights none at all. Only the runtime's events then name
/// reasons and places. The numbers are compared with the program's own clock.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed partial class OrdinaryUserTests : IDisposable
{
    private const string Paranoid = "/proc/sys/kernel/perf_event_paranoid";
    private const string Worker = ".NET TP Worker";

    private readonly string _root = Directory.CreateTempSubdirectory("esp-nobody-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    /// <summary>
    /// The program's clock sees more than the lock's events: a thread that waits may also spin, or lack a processor. Neither is a wait by
    /// context switches.
    /// </summary>
    [Fact]
    public async Task The_waits_of_a_lock_fight_are_those_of_the_programs_own_clock()
    {
        var (screen, truth) = await RecordAsync("fight");
        var waits = Assert.Single(
            await RowsAsync("--by", "method"),
            row => Text(row, "method") == "LockFight.GetOrAdd" && Text(row, "reason") == "lock"
        );
        var others = (await RowsAsync("--by", "thread"))
            .Where(row => Text(row, "thread").StartsWith("fighter-", StringComparison.Ordinal))
            .Sum(row => Ms(row, "onCpuMs") + Ms(row, "readyMs"));

        Assert.InRange(Ms(waits, "ms"), (0.95 * truth["certainMs"]) - others, truth["waitedMs"]);
        Assert.Matches(
            @"Waits by reason: (.*, )?lock \d+\.\d\d s \(6 threads, mostly in LockFight\.GetOrAdd( at LockFight\.cs:\d+)?\)",
            screen
        );
        AssertNamesWhatIsMissing(screen, Text(waits, "source"));
    }

    /// <summary>
    /// Time in which the workers ran, were ready, or waited for something else than tasks and sleeps may be in the program's measurement.
    /// </summary>
    [Fact]
    public async Task Pool_threads_that_wait_for_tasks_have_reason_and_place_and_idle_ones_do_not_hide_them()
    {
        var (screen, truth) = await RecordAsync("blocked");
        var waits = Assert.Single(
            await RowsAsync("--by", "method"),
            row => Text(row, "method") == "Blocked.Load" && Text(row, "reason") == "task"
        );
        var workers = (await RowsAsync("--by", "thread")).FindAll(row => Text(row, "thread") == Worker);
        var others =
            workers.Sum(row => Ms(row, "onCpuMs") + Ms(row, "readyMs"))
            + Math.Max(0, workers.Sum(row => Ms(row, "ms")) - Ms(waits, "ms") - truth["sleepMs"]);

        Assert.InRange(Ms(waits, "ms"), (0.95 * truth["taskMs"]) - others, truth["taskMs"]);
        Assert.Matches(@"task \d+\.\d\d s \(\d threads?, mostly in Blocked\.Load( at Blocked\.cs:\d+)?\)", screen);
        AssertNamesWhatIsMissing(screen, Text(waits, "source"));
        if (Text(waits, "source") != "Switches")
            return;

        // A worker without work says so before it waits; a sleep has no event.
        Assert.Contains(workers, row => Ms(row, "idleMs") > 0);
        Assert.InRange(
            workers.Sum(row => Ms(row, "ms")),
            (0.95 * (truth["taskMs"] + truth["sleepMs"])) - workers.Sum(row => Ms(row, "onCpuMs") + Ms(row, "readyMs")),
            double.MaxValue
        );
    }

    /// <summary>A sleep lasts at most from the first to the last sample of it, however rarely the profiler gets a processor.</summary>
    [Fact]
    public async Task Where_perf_events_are_refused_the_sample_profiler_shows_sleeps()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the filter that refuses perf events is Linux's");
        var recorded = await Tool.RecordRefusedAsync("--sampler", "eventpipe", "--out", Folder, "--", Tool.TestProgram, "blocked");
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var (screen, truth) = Read(recorded);

        var sleeps = Assert.Single(await RowsAsync("--by", "method"), row => Text(row, "reason") == "sleep");
        Assert.Equal(("Blocked.Nap", "Samples"), (Text(sleeps, "method"), Text(sleeps, "source")));
        Assert.InRange(Ms(sleeps, "ms"), double.Epsilon, truth["sleepMs"]);
        Assert.Matches(@"sleep \d+\.\d\d s \(\d threads?, mostly in Blocked\.Nap( at Blocked\.cs:\d+)?\)", screen);
        Assert.Contains("; I/O not recorded: no context switches ", screen, StringComparison.Ordinal);
    }

    private static void AssertNamesWhatIsMissing(string screen, string source) =>
        Assert.Matches(
            source == "Switches"
                ? @" not recorded \d+\.\d\d s \(\d+ threads?, no stacks of context switches: see esp-record doctor\); "
                : "; sleep and I/O not recorded: no context switches ",
            screen
        );

    private static string Text(JsonElement row, string key) => row.GetProperty(key).GetString() ?? "";

    private static double Ms(JsonElement row, string key) => row.GetProperty(key).GetDouble();

    /// <summary>Records a mode of TestProgram as nobody.</summary>
    /// <returns>The output as one line, and the numbers that the program measured.</returns>
    private async Task<(string Screen, Dictionary<string, double> Truth)> RecordAsync(string mode)
    {
        Nobody.SkipUnlessPossible();
        Assert.SkipUnless(
            !File.Exists(Paranoid)
                || int.Parse(await File.ReadAllTextAsync(Paranoid, TestContext.Current.CancellationToken), CultureInfo.InvariantCulture)
                    >= 2,
            "kernel.perf_event_paranoid is below 2: ordinary users record stacks of context switches"
        );
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(_root, (UnixFileMode)0x1ff);
        var recorded = await Tool.RecordAsNobodyAsync("--out", Folder, "--", Tool.TestProgram, mode);

        Assert.True(recorded.ExitCode == 0, recorded.Error);
        return Read(recorded);
    }

    private static (string Screen, Dictionary<string, double> Truth) Read(ToolResult recorded) =>
        (
            string.Join(' ', recorded.Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)),
            Measured()
                .Matches(recorded.Output)
                .ToDictionary(match => match.Groups[1].Value, match => double.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture))
        );

    private async Task<List<JsonElement>> RowsAsync(params string[] options)
    {
        var report = await Tool.AnalyzeAsync(["waits", Folder, .. options, "--format", "json"]);
        Assert.True(report.ExitCode == 0, report.Error);
        using var json = JsonDocument.Parse(report.Output);
        return [.. json.RootElement.GetProperty("rows").EnumerateArray().Select(row => row.Clone())];
    }

    [GeneratedRegex(@"^(\w+Ms) (\d+\.\d+)\r?$", RegexOptions.Multiline)]
    private static partial Regex Measured();
}
