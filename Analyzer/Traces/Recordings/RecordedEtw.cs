namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>Sessions of ETW, as they were carried out on Windows: the plan and every command, so that a recording says how it was made.</summary>
/// <param name="Tool">What carried it out: traceevent, xperf, tracelog, wpr.</param>
/// <param name="Preset">What the sessions were for: runs, allocation, firstcall, exceptions.</param>
/// <param name="File">The merged trace in the recording's folder, empty when there is none.</param>
/// <param name="Sessions">The sessions, the kernel's first.</param>
/// <param name="NotPossible">What of the plan the tool cannot do, a sentence each.</param>
/// <param name="Steps">Steps carried out and taken back, in order.</param>
/// <param name="EventsLost">Events lost, null when the trace does not say.</param>
/// <param name="BuffersLost">Buffers lost, null when the trace does not say.</param>
/// <param name="Runs">Marks of ended runs in the trace, null when there is no trace.</param>
public sealed record RecordedEtw(
    string Tool,
    string Preset,
    string File,
    IReadOnlyList<RecordedEtwSession> Sessions,
    IReadOnlyList<string> NotPossible,
    IReadOnlyList<RecordedEtwStep> Steps,
    long? EventsLost,
    long? BuffersLost,
    long? Runs);
