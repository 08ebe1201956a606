using System.Globalization;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Perfolizer.Mathematics.OutlierDetection;

namespace EtwSerializerProfiler.BdnCheck;

/// <summary>BenchmarkDotNet's side of a round, in a process of its own.</summary>
internal static class Measurement
{
    /// <summary>Iterations after the settling calls and before the measured ones, one call each.</summary>
    private const int WarmUps = 5;

    private const int Iterations = 20;

    /// <summary>Measures the calls and writes a line each: serializer, operation, objects and median in ms, separated by tabs.</summary>
    /// <returns>0, or 1 when a benchmark failed.</returns>
    public static int Run(Calls calls, string file, TextWriter error)
    {
        SuiteCalls.Chosen = calls;
        var job = Job
            .Default.WithToolchain(InProcessEmitToolchain.Instance)
            .WithStrategy(RunStrategy.Monitoring)
            .WithWarmupCount(WarmUps)
            .WithIterationCount(Iterations)
            .WithInvocationCount(1)
            .WithUnrollFactor(1)
            .WithOutlierMode(OutlierMode.DontRemove);
        var artifacts = Directory.CreateTempSubdirectory("esp-bdn-").FullName;
        try
        {
            var log = new AccumulationLogger();
            var config = ManualConfig
                .CreateEmpty()
                .AddJob(job)
                .AddLogger(log)
                .WithArtifactsPath(artifacts)
                .WithOptions(ConfigOptions.DisableLogFile)
                .AddColumnProvider(BenchmarkDotNet.Columns.DefaultColumnProviders.Instance);
            var summary = BenchmarkRunner.Run<SuiteCalls>(config);
            var reports = summary.Reports.Where(report => report.ResultStatistics is not null).ToList();
            File.WriteAllLines(
                file,
                reports.Select(report =>
                    string.Join(
                        '\t',
                        report.BenchmarkCase.Parameters[nameof(SuiteCalls.Serializer)],
                        report.BenchmarkCase.Parameters[nameof(SuiteCalls.Operation)],
                        report.BenchmarkCase.Parameters[nameof(SuiteCalls.Objects)],
                        (report.ResultStatistics!.Median / 1e6).ToString("R", CultureInfo.InvariantCulture)
                    )
                )
            );
            var expected = calls.Names.Count * calls.Counts.Count * Calls.Operations.Count;
            if (reports.Count == expected)
                return 0;
            error.WriteLine(log.GetLog());
            error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"BenchmarkDotNet measured {reports.Count} of {expected} calls"));
            return 1;
        }
        finally
        {
            Directory.Delete(artifacts, recursive: true);
        }
    }
}
