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

/// <summary>A session of ETW.</summary>
/// <param name="Name">Its name on the machine.</param>
/// <param name="File">Its file in the recording's folder before merging.</param>
/// <param name="Content">What it records: kernel flags, or <c>provider:keywords:level</c> with filters.</param>
/// <param name="BufferKB">Size of a buffer.</param>
/// <param name="Buffers">Buffers at most.</param>
public sealed record RecordedEtwSession(string Name, string File, IReadOnlyList<string> Content, int BufferKB, int Buffers);

/// <summary>A step of carrying out ETW's sessions.</summary>
/// <param name="Title">What it did; <c>undo: …</c> for what was taken back.</param>
/// <param name="Command">The command, or what the recorder did itself.</param>
/// <param name="Milliseconds">Duration.</param>
/// <param name="Error">Why it failed, empty when it did not.</param>
public sealed record RecordedEtwStep(string Title, string Command, double Milliseconds, string Error);
