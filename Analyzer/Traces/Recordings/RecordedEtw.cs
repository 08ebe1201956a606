namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>ETW sessions as they ran on Windows: the plan and every command, so that a recording documents how it was made.</summary>
/// <param name="Tool">The tool: traceevent, xperf, tracelog, wpr.</param>
/// <param name="Preset">Purpose of the sessions: runs, allocation, firstcall, exceptions.</param>
/// <param name="File">The merged trace in the recording's folder, empty when there is none.</param>
/// <param name="Sessions">The sessions, the kernel's first.</param>
/// <param name="NotPossible">Parts of the plan that the tool cannot do, a sentence each.</param>
/// <param name="Steps">Executed and undone steps, in order.</param>
/// <param name="EventsLost">Number of lost events; null when unknown.</param>
/// <param name="BuffersLost">Number of lost buffers; null when unknown.</param>
/// <param name="Runs">Number of RunStop marks in the trace; null without a trace.</param>
public sealed record RecordedEtw(
    string Tool,
    string Preset,
    string File,
    IReadOnlyList<RecordedEtwSession> Sessions,
    IReadOnlyList<string> NotPossible,
    IReadOnlyList<RecordedEtwStep> Steps,
    long? EventsLost,
    long? BuffersLost,
    long? Runs
);

/// <summary>An ETW session.</summary>
/// <param name="Name">Its name.</param>
/// <param name="File">Its file in the recording's folder before merging.</param>
/// <param name="Content">What it records: kernel flags, or <c>provider:keywords:level</c> with filters.</param>
/// <param name="BufferKB">Size of a buffer.</param>
/// <param name="Buffers">Maximum number of buffers.</param>
public sealed record RecordedEtwSession(string Name, string File, IReadOnlyList<string> Content, int BufferKB, int Buffers);

/// <summary>A step of running ETW sessions.</summary>
/// <param name="Title">What it did; <c>undo: …</c> when it undid a step.</param>
/// <param name="Command">The command, or what the recorder did itself.</param>
/// <param name="Milliseconds">Duration.</param>
/// <param name="Error">Why it failed; empty when it succeeded.</param>
public sealed record RecordedEtwStep(string Title, string Command, double Milliseconds, string Error);
