using System.Globalization;
using System.Reflection;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Clock and output of a scenario.</summary>
/// <param name="clock">The clock of this process.</param>
/// <param name="csv">Receives every run, if given.</param>
/// <param name="csvFile">Path of that file for other processes; null for none.</param>
/// <param name="output">Receives the table.</param>
/// <param name="error">Receives the errors.</param>
/// <param name="processes">Creates starters of further suite processes from their time limit.</param>
/// <param name="stop">Requests to end after the current row.</param>
public sealed class ScenarioContext(
    RunClock clock,
    RunCsv? csv,
    string? csvFile,
    TextWriter output,
    TextWriter error,
    Func<TimeSpan, ChildProcess> processes,
    CancellationToken stop
)
{
    /// <summary>Maximum number of warm-up runs of a row; they end as soon as nothing more is compiled.</summary>
    private const int MaxWarmUps = 8;

    /// <summary>
    /// Pause before each warm-up run: longer than the 100 ms without new code after which the runtime starts to count calls
    /// (TC_CallCountingDelayMs).
    /// </summary>
    private static readonly TimeSpan s_settlingPause = TimeSpan.FromMilliseconds(120);

    /// <summary>Receives the tables.</summary>
    public TextWriter Output => output;

    /// <summary>Requests to end after the current row.</summary>
    public CancellationToken Stop => stop;

    /// <summary>Number of failed rows.</summary>
    public int Errors { get; private set; }

    /// <summary>Measures one run and appends it to the run CSV.</summary>
    /// <param name="identity">Names the run; its serializer is the row's label.</param>
    /// <param name="operation">The operation; returns the size of the serialized data in bytes, -1 for none.</param>
    /// <returns>Milliseconds on the run's clock, and the self-measurement.</returns>
    /// <exception cref="RunFailedException">The operation threw.</exception>
    public (double Milliseconds, RunMeasurement Measurement) Measure(RunIdentity identity, Func<long> operation)
    {
        Heap.CollectAll();
        var measurement = clock.Measure(identity, operation);
        csv?.Write(clock.Runs, plannedRuns: 0, identity, measurement);
        return measurement.Error.Length > 0
            ? throw new RunFailedException(measurement.Error)
            : (RunTime.Of(measurement).Milliseconds, measurement);
    }

    /// <summary>Runs an operation as warm-up until the JIT has no more work.</summary>
    /// <exception cref="RunFailedException">The operation threw.</exception>
    public void WarmUp(RunIdentity identity, Func<long> operation)
    {
        ArgumentNullException.ThrowIfNull(identity);
        var jit = new JitActivity();
        for (var run = 1; run <= MaxWarmUps && !stop.IsCancellationRequested; run++)
        {
            Thread.Sleep(s_settlingPause);
            Measure(identity with { Kind = RunKind.WarmUp, RunNumber = run }, operation);
            if (jit.HasComeToRest())
                return;
        }
    }

    /// <summary>Makes one row; an exception is written in its place.</summary>
    /// <param name="table">The row's table.</param>
    /// <param name="label">The row's first cell.</param>
    /// <param name="row">Measures and writes the row.</param>
    /// <returns>Whether to continue; false after a request to stop, in which case nothing was done.</returns>
    public bool Row(ScenarioTable table, string label, Action row)
    {
        ArgumentNullException.ThrowIfNull(table);
        ArgumentNullException.ThrowIfNull(row);
        if (stop.IsCancellationRequested)
            return false;
        try
        {
            row();
        }
#pragma warning disable CA1031 // any exception of a serializer is the row's result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Errors++;
            error.WriteLine(
                $"error: {label}: {(exception is RunFailedException ? FirstLine.Of(exception.Message) : FirstLine.Of(exception))}"
            );
        }

        return true;
    }

    /// <summary>Creates the identity of a run.</summary>
    /// <param name="label">Label of the row.</param>
    /// <param name="library">Assembly that does the work.</param>
    /// <param name="operation">One of <see cref="RunOperation"/>.</param>
    /// <param name="objects">Objects in the graph.</param>
    /// <param name="payloadBytes">Extra bytes in each object.</param>
    /// <param name="runNumber">Number among its repetitions, from 1.</param>
    /// <param name="threads">Number of threads that run it at the same time.</param>
    public static RunIdentity Identity(
        string label,
        Assembly library,
        string operation,
        int objects,
        int payloadBytes = 0,
        int runNumber = 1,
        int threads = 1
    )
    {
        ArgumentNullException.ThrowIfNull(library);
        return new RunIdentity(
            label,
            library.GetName().Name ?? "",
            LibraryVersions.Of(library, pluginPath: ""),
            operation,
            RunKind.Measured,
            objects,
            payloadBytes,
            runNumber,
            threads
        );
    }

    /// <summary>The variables that limit the heap of a process on .NET and Mono; .NET Framework has none.</summary>
    /// <param name="bytes">The limit.</param>
    public static IReadOnlyDictionary<string, string> MemoryLimit(long bytes) =>
        new Dictionary<string, string>
        {
            ["DOTNET_GCHeapHardLimit"] = bytes.ToString("X", CultureInfo.InvariantCulture), // hexadecimal
            ["MONO_GC_PARAMS"] = string.Create(CultureInfo.InvariantCulture, $"max-heap-size={bytes / (1024 * 1024)}m"),
        };

    /// <summary>Runs <see cref="Scenario.RunInProcess"/> in a separate process.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="limit">Time limit; then the process is killed.</param>
    /// <param name="environment">Variables in addition to those of this process.</param>
    /// <exception cref="RunFailedException">The process could not be started.</exception>
    public ChildResult RunProcess(
        Scenario scenario,
        IReadOnlyList<string> arguments,
        TimeSpan limit,
        IReadOnlyDictionary<string, string>? environment = null
    )
    {
        ArgumentNullException.ThrowIfNull(scenario);
        return processes(limit)
            .Try(
                [ScenarioProcess.Verb, scenario.Name, csvFile is null ? "" : Path.GetFullPath(csvFile), .. arguments],
                environment: environment
            );
    }
}
