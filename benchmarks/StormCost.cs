using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Measures what a default recording costs programs that do one costly thing very often, and what it loses. The program runs alternately
/// with and without recording, so that a drift of the machine's speed affects both. Times are the program's own.
/// </summary>
internal static class StormCost
{
    /// <summary>Runs a command as nobody.</summary>
    private static readonly string[] s_ordinaryUser =
    [
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        "env",
        "HOME=/tmp",
        "DOTNET_CLI_HOME=/tmp",
    ];

    /// <summary>Arguments of TestProgram, and the prefix of its command and the recorder's.</summary>
    private static readonly (string Name, string[] Arguments, string[] Prefix)[] s_storms =
    [
        ("1,000 threads that compute and sleep, 10 s of two processors", ["crowd", "1000", "200"], []),
        ("the same, by an ordinary user", ["crowd", "1000", "200"], s_ordinaryUser),
        ("ping-pong of two threads, 150,000 rounds", ["switches", "150000"], []),
        ("100,000 exceptions", ["storm", "100000"], []),
        ("10,000 threads, one after the other", ["starts", "10000"], []),
        ("four threads that wait for one lock, 200,000 times in all", ["locks", "50000"], []),
        ("20,000 methods compiled", ["methods", "20000"], []),
        ("20,000 types loaded", ["types", "20000"], []),
    ];

    public static Command Create()
    {
        var rounds = new Option<int>("--rounds")
        {
            Description = "Pairs of a recorded and an unrecorded program, for each storm.",
            DefaultValueFactory = _ => 5,
        };
        var storm = new Option<string>("--storm")
        {
            Description = $"Only one: {string.Join(", ", s_storms.Select(item => item.Arguments[0]).Distinct())}.",
            DefaultValueFactory = _ => "",
        };
        var command = new Command(
            "storms",
            "Programs with many switches, exceptions and thread starts, alternately with and without a default recording: times, size, losses."
        )
        {
            rounds,
            storm,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(rounds), parsed.GetValue(storm)!, Console.Out));
        return command;
    }

    private static async Task RunAsync(int rounds, string only, TextWriter output)
    {
        var began = Load();
        await output
            .WriteLineAsync("| program | without, ms | recorded, ms | ratio of a pair: median (min to max) | MB | records lost |")
            .ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---:|---:|---|").ConfigureAwait(false);
        foreach (var (name, arguments, user) in s_storms.Where(item => only.Length == 0 || item.Arguments[0] == only))
        {
            if (user.Length > 0 && !Environment.IsPrivilegedProcess)
                continue; // without root, all other rows are already those of an ordinary user
            var (plain, recorded, bytes, lost) = (new List<double>(), new List<double>(), new List<double>(), new List<string>());
            for (var round = 0; round < rounds; round++)
            {
                var plainFirst = round % 2 == 0;
                if (plainFirst)
                    plain.Add(await TimeAsync([.. user, Program, .. arguments]).ConfigureAwait(false));
                var folder = Directory.CreateTempSubdirectory("esp-storm-").FullName;
                if (user.Length > 0 && !OperatingSystem.IsWindows())
                    File.SetUnixFileMode(folder, (UnixFileMode)0b111_111_111);
                try
                {
                    var recording = Path.Combine(folder, "recording");
                    recorded.Add(
                        await TimeAsync([
                                .. user,
                                Recorder,
                                "record",
                                "-o",
                                recording,
                                "--no-analyze",
                                "--quiet",
                                "--",
                                Program,
                                .. arguments,
                            ])
                            .ConfigureAwait(false)
                    );
                    bytes.Add(new DirectoryInfo(recording).EnumerateFiles("*", SearchOption.AllDirectories).Sum(file => file.Length));
                    lost.Add(LostRecords(Path.Combine(recording, Recording.FileName)));
                }
                finally
                {
                    Directory.Delete(folder, recursive: true);
                }

                if (!plainFirst)
                    plain.Add(await TimeAsync([.. user, Program, .. arguments]).ConfigureAwait(false));
            }

            // "storm" and "switches" print the time of one operation, the others that of all.
            var scale =
                arguments[0] is "storm" ? 100_000
                : arguments[0] is "switches" ? 300_000
                : 1;
            var ratios = recorded.Zip(plain, (with, without) => with / without).ToList();
            await output
                .WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"| {name} | {Statistics.Median(plain) * scale / 1e6:N0} | {Statistics.Median(recorded) * scale / 1e6:N0} | {Statistics.Median(ratios):F2} ({ratios.Min():F2} to {ratios.Max():F2}) | {Statistics.Median(bytes) / 1e6:F0} | {string.Join(", ", lost)} |"
                    )
                )
                .ConfigureAwait(false);
        }

        var host = HostDescription.Read();
        await output
            .WriteLineAsync(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"\nMeasured on {DateTime.UtcNow:yyyy-MM-dd}: {host.LogicalProcessors} processors ({host.Cpu}), {host.OperatingSystem}, .NET {Environment.Version}, {rounds} pairs. Load of the last minute {began} at the start, {Load()} at the end; the storms themselves are part of it. Tracefs {(Directory.Exists("/sys/kernel/tracing/events") ? "mounted" : "not mounted")}."
                )
            )
            .ConfigureAwait(false);
    }

    /// <summary>Threads that ran or were ready in the last minute, on average.</summary>
    private static string Load() => File.Exists("/proc/loadavg") ? File.ReadAllText("/proc/loadavg").Split(' ')[0] : "not recorded";

    private static string Program => SuiteRecordings.File("TestProgramDirectory", "TestProgram");

    private static string Recorder => SuiteRecordings.File("RecorderDirectory", "esp-record");

    /// <summary>Runs a command.</summary>
    /// <returns>The number in the last line of its output: ns.</returns>
    private static async Task<double> TimeAsync(string[] command)
    {
        using var process = Process.Start(
            new ProcessStartInfo(command[0], command[1..]) { RedirectStandardOutput = true, RedirectStandardError = true }
        )!;
        var errors = process.StandardError.ReadToEndAsync();
        var lines = (await process.StandardOutput.ReadToEndAsync().ConfigureAwait(false)).Split(
            '\n',
            StringSplitOptions.RemoveEmptyEntries
        );
        await process.WaitForExitAsync().ConfigureAwait(false);
        return
            process.ExitCode == 0
            && lines.Length > 0
            && double.TryParse(lines[^1], NumberStyles.None, CultureInfo.InvariantCulture, out var nanoseconds)
            ? nanoseconds
            : throw new InvalidOperationException(
                $"{string.Join(' ', command)} ended with exit code {process.ExitCode}: {await errors.ConfigureAwait(false)}"
            );
    }

    /// <summary>Lost records of the kernel session.</summary>
    private static string LostRecords(string path)
    {
        using var recording = JsonDocument.Parse(File.ReadAllBytes(path));
        return recording.RootElement.TryGetProperty("kernel", out var kernel) && kernel.ValueKind == JsonValueKind.Object
            ? kernel.GetProperty("lostRecords").GetInt64().ToString(CultureInfo.InvariantCulture)
            : "not recorded";
    }
}
