using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Reports.Profiles;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>Time from a recording to a file of each format: reading with the analysis, and writing. Each format's file is written to the folder for temporary files and deleted.</summary>
internal static class ExportSpeed
{
    /// <summary>Exports a recording to each format in turn.</summary>
    public static async Task RunAsync(string path, int repetitions, TextWriter output)
    {
        await output.WriteLineAsync("| format | samples | stacks | s | of it writing | MB | peak memory of the process |").ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---:|---:|---:|---:|").ConfigureAwait(false);
        foreach (var format in Enum.GetValues<ProfileFormat>())
        {
            var (all, writing, bytes, profile) = (new List<double>(), new List<double>(), 0L, default(ProfileDocument)!);
            for (var repetition = 0; repetition < repetitions; repetition++)
            {
                GC.Collect();
                var watch = Stopwatch.StartNew();
                profile = ProfileExporter.Read(TraceInputReader.Open([path]), new ProfileExportOptions(format, null) { Filter = new RunFilter { AllKinds = true } }, "benchmark");
                var read = watch.Elapsed.TotalSeconds;
                bytes = Write(profile, format);
                all.Add(watch.Elapsed.TotalSeconds);
                writing.Add(watch.Elapsed.TotalSeconds - read);
            }

            await output.WriteLineAsync(string.Create(
                CultureInfo.InvariantCulture,
                $"| {format} | {profile.Profile.SampleCount:N0} | {profile.Profile.Stacks.Count:N0} | {Statistics.Median(all):F2} | {Statistics.Median(writing):F2} | {bytes / 1e6:F1} | {EtlSpeed.PeakMemory()} |")).ConfigureAwait(false);
        }
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
