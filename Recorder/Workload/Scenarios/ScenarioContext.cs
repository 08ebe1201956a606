using System.Globalization;
using System.Reflection;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Where a scenario measures and writes.</summary>
/// <param name="clock">The clock of this process.</param>
/// <param name="csv">Receives every run, if given.</param>
/// <param name="csvFile">Path of that file, for processes of their own; null for none.</param>
/// <param name="output">Receives the table.</param>
/// <param name="error">Receives the errors.</param>
/// <param name="processes">Makes what starts more processes of the suite, by their time limit.</param>
/// <param name="stop">Asks to end after the current row.</param>
public sealed class ScenarioContext(
    RunClock clock, RunCsv? csv, string? csvFile, TextWriter output, TextWriter error, Func<TimeSpan, ChildProcess> processes, CancellationToken stop)
{
    /// <summary>Most warm-up runs of a row; they end as soon as nothing more is compiled.</summary>
    private const int MostWarmUps = 8;

    /// <summary>Before each warm-up run: longer than the 100 ms without new code after which the runtime begins to count calls (TC_CallCountingDelayMs).</summary>
    private static readonly TimeSpan s_settlingPause = TimeSpan.FromMilliseconds(120);

    /// <summary>Where tables go.</summary>
    public TextWriter Output => output;

    /// <summary>Asks to end after the current row.</summary>
    public CancellationToken Stop => stop;

    /// <summary>Rows that failed so far.</summary>
    public int Errors { get; private set; }

    /// <summary>Measures one run and appends it to the run CSV.</summary>
    /// <param name="identity">Names the run; its serializer is the row's label.</param>
    /// <param name="operation">What to measure; returns the size of the serialized data in bytes, -1 for none.</param>
    /// <returns>Milliseconds on the run's clock, and what else the process knows of it.</returns>
    /// <exception cref="RunFailedException">The operation threw.</exception>
    public (double Milliseconds, RunTruth Truth) Measure(RunIdentity identity, Func<long> operation)
    {
        Heap.CollectAll();
        var truth = clock.Measure(identity, operation);
        csv?.Write(clock.Runs, plannedRuns: 0, identity, truth);
        return truth.Error.Length > 0 ? throw new RunFailedException(truth.Error) : (RunTime.Of(truth).Milliseconds, truth);
    }

    /// <summary>Runs an operation as warm-up until the JIT has come to rest.</summary>
    /// <exception cref="RunFailedException">The operation threw.</exception>
    public void WarmUp(RunIdentity identity, Func<long> operation)
    {
        ArgumentNullException.ThrowIfNull(identity);
        var jit = new JitActivity();
        for (var run = 1; run <= MostWarmUps && !stop.IsCancellationRequested; run++)
        {
            Thread.Sleep(s_settlingPause);
            Measure(identity with { Kind = RunKind.WarmUp, RunNumber = run }, operation);
            if (jit.HasComeToRest())
                return;
        }
    }

    /// <summary>Does what makes one row; what it throws is written in the row's place.</summary>
    /// <param name="table">The row's table.</param>
    /// <param name="label">The row's first cell.</param>
    /// <param name="row">Measures and writes the row.</param>
    /// <returns>Whether to go on: false after a request to stop, and then nothing was done.</returns>
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
#pragma warning disable CA1031 // whatever a serializer throws is the row's result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Errors++;
            error.WriteLine($"error: {label}: {(exception is RunFailedException ? FirstLine.Of(exception.Message) : FirstLine.Of(exception))}");
        }

        return true;
    }

    /// <summary>Names a run.</summary>
    /// <param name="label">The row.</param>
    /// <param name="library">Assembly that does the work.</param>
    /// <param name="operation">One of <see cref="RunOperation"/>.</param>
    /// <param name="objects">Objects in the graph.</param>
    /// <param name="payloadBytes">Extra bytes in each object.</param>
    /// <param name="runNumber">1-based number among its repetitions.</param>
    /// <param name="threads">Threads that run it at the same time.</param>
    public static RunIdentity Identity(string label, Assembly library, string operation, int objects, int payloadBytes = 0, int runNumber = 1, int threads = 1)
    {
        ArgumentNullException.ThrowIfNull(library);
        return new RunIdentity(label, library.GetName().Name ?? "", LibraryVersions.Of(library, pluginPath: ""), operation, RunKind.Measured, objects, payloadBytes, runNumber, threads);
    }

    /// <summary>The variables that keep the heap of a process within a limit, on .NET and Mono; .NET Framework has none.</summary>
    /// <param name="bytes">The limit.</param>
    public static IReadOnlyDictionary<string, string> MemoryLimit(long bytes) => new Dictionary<string, string>
    {
        ["DOTNET_GCHeapHardLimit"] = bytes.ToString("X", CultureInfo.InvariantCulture), // hexadecimal
        ["MONO_GC_PARAMS"] = string.Create(CultureInfo.InvariantCulture, $"max-heap-size={bytes / (1024 * 1024)}m"),
    };

    /// <summary>Runs <see cref="Scenario.RunInProcess"/> in a process of its own.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="arguments">What it is told.</param>
    /// <param name="limit">Longer, and it is ended.</param>
    /// <param name="environment">Variables of the process beside those of this one.</param>
    /// <exception cref="RunFailedException">It could not be started.</exception>
    public ChildResult RunProcess(Scenario scenario, IReadOnlyList<string> arguments, TimeSpan limit, IReadOnlyDictionary<string, string>? environment = null)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        return processes(limit).Try([ScenarioProcess.Verb, scenario.Name, csvFile is null ? "" : Path.GetFullPath(csvFile), .. arguments], environment: environment);
    }
}
