using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Memory of the recorder and size of the recording over the minutes of a long one. A service's hours pass faster at a multiple of its
/// event rate: 50 threads that compute and sleep, sampled six times as often as usual.
/// </summary>
internal static class LongRecording
{
    /// <summary>Memory may vary by this part from the second minute on.</summary>
    private const double Tolerance = 0.1;

    private static readonly string[] s_program = ["crowd", "50", "1000000"];

    public static Command Create()
    {
        var minutes = new Option<int>("--minutes") { Description = "How long to record.", DefaultValueFactory = _ => 20 };
        var maxSize = new Option<string>(RecordingMode.MaxSizeName)
        {
            Description = "The recorder's option; without it everything is kept.",
            DefaultValueFactory = _ => "",
        };
        var rate = new Option<int>("--sample-rate") { Description = "CPU samples a second.", DefaultValueFactory = _ => 6000 };
        var command = new Command("hours", "Memory of the recorder, and size of a recording, over many minutes.")
        {
            minutes,
            maxSize,
            rate,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(minutes), parsed.GetValue(maxSize)!, parsed.GetValue(rate), Console.Out));
        return command;
    }

    private static async Task<int> RunAsync(int minutes, string maxSize, int rate, TextWriter output)
    {
        var root = Directory.CreateTempSubdirectory("esp-hours-").FullName;
        try
        {
            string[] command =
            [
                "record",
                "--out",
                Path.Combine(root, "recording"),
                "--no-analyze",
                "--quiet",
                "--sample-rate",
                rate.ToString(CultureInfo.InvariantCulture),
                "--duration",
                (60 * minutes).ToString(CultureInfo.InvariantCulture),
                .. maxSize.Length > 0 ? [RecordingMode.MaxSizeName, maxSize] : (string[])[],
                "--",
                SuiteRecordings.File("TestProgramDirectory", "TestProgram"),
                .. s_program,
            ];
            using var recorder = Process.Start(SuiteRecordings.File("RecorderDirectory", "esp-record"), command);
            var memory = await ObserveAsync(recorder, root, output).ConfigureAwait(false);
            await recorder.WaitForExitAsync().ConfigureAwait(false);
            var (min, max) = (memory.Skip(1).Min(), memory.Skip(1).Max());
            await output
                .WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"exit code {recorder.ExitCode}, {SizeOf(root) / 1e6:F0} MB; memory from the second minute on: {min / 1e6:F0} to {max / 1e6:F0} MB"
                    )
                )
                .ConfigureAwait(false);
            return recorder.ExitCode == 0 && max <= min * (1 + Tolerance) ? 0 : 1;
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }

    /// <summary>Writes a row for each minute.</summary>
    /// <returns>Resident memory of the recorder at the end of each minute, in bytes.</returns>
    private static async Task<List<long>> ObserveAsync(Process recorder, string root, TextWriter output)
    {
        var memory = new List<long>();
        await output.WriteLineAsync("| minute | memory of the recorder, MB | files, MB |").ConfigureAwait(false);
        await output.WriteLineAsync("|---:|---:|---:|").ConfigureAwait(false);
        var end = recorder.WaitForExitAsync();
        while (await Task.WhenAny(end, Task.Delay(TimeSpan.FromMinutes(1))).ConfigureAwait(false) != end)
        {
            recorder.Refresh();
            memory.Add(recorder.WorkingSet64);
            await output
                .WriteLineAsync(
                    string.Create(CultureInfo.InvariantCulture, $"| {memory.Count} | {memory[^1] / 1e6:F0} | {SizeOf(root) / 1e6:F0} |")
                )
                .ConfigureAwait(false);
        }

        return memory;
    }

    private static long SizeOf(string folder) =>
        new DirectoryInfo(folder).EnumerateFiles("*", SearchOption.AllDirectories).Sum(file => file.Length);
}
