namespace EtwSerializerProfiler.Traces.Events;

/// <summary>
/// BenchmarkDotNet begins or has ended an iteration of a benchmark's workload: provider <c>BenchmarkDotNet.EngineEventSource</c>, written by the measuring thread just outside the
/// iteration's clock. Iterations that measure the overhead of calls are not told.
/// </summary>
/// <param name="At">When and where.</param>
/// <param name="Stage">What it is for.</param>
/// <param name="IsStart">Whether it begins.</param>
/// <param name="Operations">Operations in it: invocations × operations an invocation.</param>
public readonly record struct BenchmarkIteration(EventAt At, BenchmarkStage Stage, bool IsStart, long Operations);
