using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A run began: the RunStart mark, written just before the run's clock starts.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
/// <param name="Identity">Identity of the run.</param>
public readonly record struct RunStarted(EventAt At, int RunId, RunIdentity Identity) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>A run ended with its self-measurement: the RunStop mark.</summary>
/// <param name="At">Time, process and thread, about 100 µs after the clock stopped.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
/// <param name="Identity">Identity of the run, as in RunStart.</param>
/// <param name="SelfMeasurement">The measured program's self-measurement.</param>
public readonly record struct RunStopped(EventAt At, int RunId, RunIdentity Identity, RunMeasurement SelfMeasurement) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>The clock of a run stopped.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
public readonly record struct RunClockStopped(EventAt At, int RunId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>The next wait of this thread belongs to a run.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
public readonly record struct MarkerWaiting(EventAt At, int RunId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>Launch time of a run's process, by its launcher's clock; written after the run.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
/// <param name="LaunchedTicks">Time of the launch.</param>
public readonly record struct ProcessLaunched(EventAt At, int RunId, long LaunchedTicks) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;
}

/// <summary>BenchmarkDotNet starts or stops measuring a benchmark, after its first calls.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Name">The benchmark's full name: type, method, and parameters in parentheses.</param>
/// <param name="IsStart">Whether it starts.</param>
public readonly record struct BenchmarkMeasured(EventAt At, string Name, bool IsStart) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;
}

/// <summary>
/// BenchmarkDotNet starts or stops an iteration of a benchmark's workload: provider <c>BenchmarkDotNet.EngineEventSource</c>, written by
/// the measuring thread just outside the iteration's clock. Iterations of the call overhead are not published.
/// </summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Stage">Stage of the iteration.</param>
/// <param name="IsStart">Whether it starts.</param>
/// <param name="Operations">Number of its operations: invocations × operations per invocation.</param>
public readonly record struct BenchmarkIteration(EventAt At, BenchmarkStage Stage, bool IsStart, long Operations) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>Stages of BenchmarkDotNet's iterations.</summary>
public enum BenchmarkStage
{
    /// <summary>First call in the process, which includes JIT compilation.</summary>
    Jitting,

    /// <summary>Determines the number of operations per iteration.</summary>
    Pilot,

    /// <summary>Warm-up before the measured ones.</summary>
    Warmup,

    /// <summary>Measured.</summary>
    Actual,
}
