using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A run began: the RunStart mark, written just before the run's clock starts.</summary>
/// <param name="At">When and where.</param>
/// <param name="RunId">Number of the run in its process, from 1.</param>
/// <param name="Identity">Names the run.</param>
public readonly record struct RunStarted(EventAt At, int RunId, RunIdentity Identity);
