using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A run has ended and its truth was read: the RunStop mark.</summary>
/// <param name="At">When and where; some 100 µs after the clock stopped.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
/// <param name="Identity">Names the run, as RunStart does.</param>
/// <param name="Truth">What the measured program knows of the run.</param>
public readonly record struct RunStopped(EventAt At, int RunId, RunIdentity Identity, RunTruth Truth);
