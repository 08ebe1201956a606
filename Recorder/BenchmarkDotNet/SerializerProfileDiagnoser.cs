using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>
/// Records each benchmark's process: two EventPipe sessions and, on Linux, perf events. Each iteration of the workload is a run of the
/// recording; the costs of the measured ones become columns of the summary, per operation. A failure becomes a warning of the summary and
/// never breaks a benchmark.
/// </summary>
public sealed class SerializerProfileDiagnoser : IDiagnoser
{
    /// <summary>Name in the summary's hints and in the log.</summary>
    internal const string Id = "SerializerProfile";

    private readonly SerializerProfileOptions _options;
    private readonly ProfiledCases _cases = new();

    /// <summary>The process being recorded; null between benchmarks.</summary>
    private CaseRecorder? _recorder;

    /// <summary>Records with the default options.</summary>
    public SerializerProfileDiagnoser()
        : this(new SerializerProfileOptions()) { }

    /// <summary>Records with options.</summary>
    /// <param name="options">What to record, and in which run.</param>
    /// <exception cref="ArgumentOutOfRangeException">The sample rate is not from 1 to 100,000.</exception>
    public SerializerProfileDiagnoser(SerializerProfileOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.SampleRateHz, 1, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.SampleRateHz, 100_000, nameof(options));
        _options = options;
    }

    /// <inheritdoc />
    public IEnumerable<string> Ids => [Id];

    /// <inheritdoc />
    public IEnumerable<IExporter> Exporters => [new IndexExporter(_cases)];

    /// <inheritdoc />
    public IEnumerable<IAnalyser> Analysers => [new ProfileAnalyser(_cases)];

    /// <inheritdoc />
    public RunMode GetRunMode(BenchmarkCase benchmarkCase) =>
        ProfileValidation.WhyNot(benchmarkCase) is not null ? RunMode.None
        : _options.ExtraRun ? RunMode.ExtraRun
        : RunMode.NoOverhead;

    /// <inheritdoc />
    public IEnumerable<ValidationError> Validate(ValidationParameters validationParameters)
    {
        ArgumentNullException.ThrowIfNull(validationParameters);
        return ProfileValidation.Check(validationParameters.Benchmarks, _options);
    }

    /// <inheritdoc />
    public void Handle(HostSignal signal, DiagnoserActionParameters parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        try
        {
            switch (signal)
            {
                case HostSignal.BeforeProcessStart:
                    _recorder = new CaseRecorder(_cases.Add(parameters.BenchmarkCase), _options);
                    _recorder.Prepare(parameters.Process.StartInfo);
                    break;
                case HostSignal.BeforeAnythingElse:
                    (_recorder ??= new CaseRecorder(_cases.Add(parameters.BenchmarkCase), _options)).Begin(parameters.Process.Id);
                    break;
                case HostSignal.AfterAll:
                    _recorder?.End();
                    break;
                case HostSignal.AfterProcessExit:
                    _recorder?.EndAfterExit();
                    _recorder = null;
                    break;
            }
        }
#pragma warning disable CA1031 // BenchmarkDotNet hangs when a diagnoser throws here, and no failure of ours is worth a benchmark
        catch (Exception exception)
#pragma warning restore CA1031
        {
            _cases.Find(parameters.BenchmarkCase)?.Fail(exception);
        }
    }

    /// <inheritdoc />
    public IEnumerable<Metric> ProcessResults(DiagnoserResults results)
    {
        ArgumentNullException.ThrowIfNull(results);
        if (_cases.Find(results.BenchmarkCase) is not { } profiled)
            return [];
        try
        {
            profiled.Analyze();
            return profiled.Metrics;
        }
#pragma warning disable CA1031 // as above
        catch (Exception exception)
#pragma warning restore CA1031
        {
            profiled.Fail(exception);
            return [];
        }
    }

    /// <inheritdoc />
    public void DisplayResults(ILogger logger)
    {
        ArgumentNullException.ThrowIfNull(logger);
        foreach (var folder in _cases.Folders)
        {
            logger.WriteLineInfo(
                FormattableString.Invariant(
                    $"Recordings of {Plural.Of(folder.Recorded, "benchmark")}, read in {folder.ReadingTime.TotalSeconds:0.0} s: {folder.Path}"
                )
            );
            logger.WriteLineInfo($"  esp-analyze causes|table|report|cpu \"{folder.Path}\"");
        }
    }
}
