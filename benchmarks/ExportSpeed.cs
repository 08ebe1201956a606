using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Reports.Profiles;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Time from a recording to a file of each format: reading with the analysis, and writing. Files are written to the temporary folder and
/// deleted.
/// </summary>
internal static class ExportSpeed
{
    /// <summary>Argument in place of a recording.</summary>
    public const string Made = "made";
    private const int MadeCount = 1_000_000;

    public static Command Create()
    {
        var recording = new Argument<string>("recording")
        {
            Description = "A recording's folder or an .etl file, with CPU samples; 'made' for a million samples that cost nothing to read.",
        };
        var repetitions = CommonOptions.FewRepetitions();
        var command = new Command("export-speed", "Time and memory from a recording to a file of each format, gzip left out.")
        {
            recording,
            repetitions,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(recording)!, parsed.GetValue(repetitions), Console.Out));
        return command;
    }

    /// <summary>Exports a recording to each format in turn.</summary>
    /// <param name="path">The recording; <see cref="Made"/> for a million samples that cost nothing to read.</param>
    /// <param name="repetitions">Number of repetitions.</param>
    /// <param name="output">Where the result is printed.</param>
    private static async Task RunAsync(string path, int repetitions, TextWriter output)
    {
        await output
            .WriteLineAsync("| format | samples | stacks | s | s of CPU time | of it writing | MB | peak memory of the process |")
            .ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---:|---:|---:|---:|---:|").ConfigureAwait(false);
        await output.WriteLineAsync(Reading(path, repetitions)).ConfigureAwait(false);
        foreach (var format in Enum.GetValues<ProfileFormat>())
        {
            var (all, cpu, writing, bytes, profile) = (
                new List<double>(),
                new List<double>(),
                new List<double>(),
                0L,
                default(ProfileDocument)!
            );
            for (var repetition = 0; repetition < repetitions; repetition++)
            {
                GC.Collect();
                var begin = Environment.CpuUsage.TotalTime;
                var watch = Stopwatch.StartNew();
                profile = ProfileExporter.Read(
                    Open(path),
                    new ProfileExportOptions(format, null) { Filter = new RunFilter { AllKinds = true } },
                    "benchmark"
                );
                var read = Environment.CpuUsage.TotalTime;
                bytes = Write(profile, format);
                all.Add(watch.Elapsed.TotalSeconds);
                cpu.Add((Environment.CpuUsage.TotalTime - begin).TotalSeconds);
                writing.Add((Environment.CpuUsage.TotalTime - read).TotalSeconds);
            }

            await output
                .WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"| {format} | {profile.Profile.SampleCount:N0} | {profile.Profile.Stacks.Count:N0} | {Statistics.Median(all):F2} | {Statistics.Median(cpu):F2} | {Statistics.Median(writing):F2} | {bytes / 1e6:F1} | {ProcessMemory.Peak()} |"
                    )
                )
                .ConfigureAwait(false);
        }
    }

    private static TraceInput Open(string path) => path == Made ? MadeSamples.Input(MadeCount) : TraceInputReader.Open([path]);

    /// <summary>Time without an export: reading, marks, costs of the runs.</summary>
    private static string Reading(string path, int repetitions)
    {
        var (all, cpu) = (new List<double>(), new List<double>());
        for (var repetition = 0; repetition < repetitions; repetition++)
        {
            GC.Collect();
            var begin = Environment.CpuUsage.TotalTime;
            var watch = Stopwatch.StartNew();
            RunAnalysis.Run(Open(path).Processes, [], causes: false);
            all.Add(watch.Elapsed.TotalSeconds);
            cpu.Add((Environment.CpuUsage.TotalTime - begin).TotalSeconds);
        }

        return string.Create(
            CultureInfo.InvariantCulture,
            $"| (the runs alone) | | | {Statistics.Median(all):F2} | {Statistics.Median(cpu):F2} | | | {ProcessMemory.Peak()} |"
        );
    }

    private static long Write(ProfileDocument profile, ProfileFormat format)
    {
        var file = Path.GetTempFileName();
        try
        {
            using (var stream = File.Create(file, 1 << 16))
                ProfileExporter.Write(profile, format, stream);
            return new FileInfo(file).Length;
        }
        finally
        {
            File.Delete(file);
        }
    }
}
