using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace EtwSerializerProfiler.BenchmarkDotNet.Tests;

/// <summary>A run of BenchmarkDotNet with the diagnoser, in its own folder.</summary>
internal sealed class Measured : IDisposable
{
    public const int Iterations = 5;
    public const int Invocations = 4;

    private readonly AccumulationLogger _log = new();

    private Measured(string artifacts) => Artifacts = artifacts;

    public string Artifacts { get; }

    public Summary Summary { get; private set; } = null!;

    public string Log => _log.GetLog();

    /// <summary>Hints and warnings as the summary prints them.</summary>
    public IReadOnlyList<string> Conclusions { get; private set; } = [];

    /// <summary>Folders of the recordings by label.</summary>
    public IReadOnlyDictionary<string, string> Recordings { get; private set; } = new Dictionary<string, string>();

    public static Measured Run<T>(SerializerProfileOptions options, Action<string>? prepare = null, Func<Job, Job>? change = null)
    {
        var measured = new Measured(Directory.CreateTempSubdirectory("esp-bdn-").FullName);
        prepare?.Invoke(measured.Artifacts);

        // A fixed number of calls per iteration, without a pilot stage, so that the duration is known.
        var job = Job
            .Default.WithToolchain(new PrebuiltToolchain())
            .WithStrategy(RunStrategy.Throughput)
            .WithInvocationCount(Invocations)
            .WithUnrollFactor(1)
            .WithWarmupCount(1)
            .WithIterationCount(Iterations)
            .WithEvaluateOverhead(false)
            .WithId("Test");
        var config = ManualConfig
            .CreateEmpty()
            .AddJob(change?.Invoke(job) ?? job)
            .AddLogger(measured._log)
            .AddColumnProvider(DefaultColumnProviders.Instance)
            .WithArtifactsPath(measured.Artifacts)
            .WithOptions(ConfigOptions.DisableOptimizationsValidator | ConfigOptions.DisableLogFile)
            .AddSerializerProfile(options);
        measured.Summary = BenchmarkRunner.Run<T>(config);
        var diagnoser = config.GetDiagnosers().OfType<SerializerProfileDiagnoser>().Single();
        measured.Conclusions =
        [
            .. diagnoser.Analysers.Single().Analyse(measured.Summary).Select(conclusion => $"{conclusion.Kind}: {conclusion.Message}"),
        ];
        measured.Recordings = Directory.Exists(Path.Combine(measured.Artifacts, "serializer-profile"))
            ? Directory
                .GetFiles(Path.Combine(measured.Artifacts, "serializer-profile"), "recording.json", SearchOption.AllDirectories)
                .Select(Path.GetDirectoryName)
                .ToDictionary(path => Path.GetFileName(path)!, path => path!)
            : [];
        return measured;
    }

    /// <summary>The report of a method's benchmark.</summary>
    public BenchmarkReport Report(string method) =>
        Summary.Reports.Single(report => report.BenchmarkCase.Descriptor.WorkloadMethod.Name == method);

    /// <summary>A metric of a method's benchmark in ms; null when there is none.</summary>
    public double? Milliseconds(string method, string metric) =>
        Report(method).Metrics.TryGetValue($"SerializerProfile.{metric}", out var found) ? found.Value / 1e6 : null;

    /// <summary>A cell of the summary as it is printed.</summary>
    public string Cell(string method, string column)
    {
        var table = Summary.Table;
        return table.FullContent[Summary.BenchmarksCases.IndexOf(Report(method).BenchmarkCase)][Array.IndexOf(table.FullHeader, column)];
    }

    public void Dispose() => Directory.Delete(Artifacts, recursive: true);
}
