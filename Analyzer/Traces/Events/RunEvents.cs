using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A run began: the RunStart mark, written just before the run's clock starts.</summary>
/// <param name="At">When and where.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
/// <param name="Identity">Names the run.</param>
public readonly record struct RunStarted(EventAt At, int RunId, RunIdentity Identity) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>A run has ended and its truth was read: the RunStop mark.</summary>
/// <param name="At">When and where; some 100 µs after the clock stopped.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
/// <param name="Identity">Names the run, as RunStart does.</param>
/// <param name="Truth">What the measured program knows of the run.</param>
public readonly record struct RunStopped(EventAt At, int RunId, RunIdentity Identity, RunTruth Truth) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>The clock of a run has stopped.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
public readonly record struct RunClockStopped(EventAt At, int RunId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>The next wait of this thread is that of a run.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
public readonly record struct MarkerWaiting(EventAt At, int RunId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>When the process of a run was launched, by its launcher's clock; written when the run has ended.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
/// <param name="LaunchedTicks">When it was launched.</param>
public readonly record struct ProcessLaunched(EventAt At, int RunId, long LaunchedTicks) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;
}

/// <summary>BenchmarkDotNet begins to measure a benchmark, after its first calls, or has ended.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="Name">The benchmark's full name: type, method, and parameters in parentheses.</param>
/// <param name="IsStart">Whether it begins.</param>
public readonly record struct BenchmarkMeasured(EventAt At, string Name, bool IsStart) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;
}

/// <summary>
/// BenchmarkDotNet begins or has ended an iteration of a benchmark's workload: provider <c>BenchmarkDotNet.EngineEventSource</c>, written by the measuring thread just outside the
/// iteration's clock. Iterations that measure the overhead of calls are not told.
/// </summary>
/// <param name="At">When and where.</param>
/// <param name="Stage">What it is for.</param>
/// <param name="IsStart">Whether it begins.</param>
/// <param name="Operations">Operations in it: invocations × operations an invocation.</param>
public readonly record struct BenchmarkIteration(EventAt At, BenchmarkStage Stage, bool IsStart, long Operations) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.RunMarks;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>What BenchmarkDotNet makes an iteration of the workload for.</summary>
public enum BenchmarkStage
{
    /// <summary>First call in the process: it pays for JIT compilation.</summary>
    Jitting,

    /// <summary>Finds out how many operations an iteration takes.</summary>
    Pilot,

    /// <summary>Before the measured ones.</summary>
    Warmup,

    /// <summary>Measured.</summary>
    Actual,
}
