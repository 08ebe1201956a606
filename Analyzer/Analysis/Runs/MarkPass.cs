using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>The first pass: marks, and the collections of the same session.</summary>
/// <param name="marks">Receives the marks.</param>
/// <param name="pauses">Receives the collections' pauses.</param>
internal sealed class MarkPass(MarkCollector marks, CollectionPauses pauses) : TraceVisitor
{
    public override void OnRunStarted(in RunStarted run) => marks.OnRunStarted(run);

    public override void OnRunStopped(in RunStopped run) => marks.OnRunStopped(run);

    public override void OnRunClockStopped(in EventAt at, int runId) => marks.OnRunClockStopped(at, runId);

    public override void OnMarkerWaiting(in EventAt at, int runId) => marks.OnMarkerWaiting(at, runId);

    public override void OnSuspendStarted(in EventAt at, SuspendReason reason) => pauses.OnSuspendStarted(at, reason);

    public override void OnRestarted(in EventAt at) => pauses.OnRestarted(at);
}
