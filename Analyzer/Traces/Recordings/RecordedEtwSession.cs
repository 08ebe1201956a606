namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>A session of ETW.</summary>
/// <param name="Name">Its name on the machine.</param>
/// <param name="File">Its file in the recording's folder before merging.</param>
/// <param name="Content">What it records: kernel flags, or <c>provider:keywords:level</c> with filters.</param>
/// <param name="BufferKB">Size of a buffer.</param>
/// <param name="Buffers">Buffers at most.</param>
public sealed record RecordedEtwSession(string Name, string File, IReadOnlyList<string> Content, int BufferKB, int Buffers);
