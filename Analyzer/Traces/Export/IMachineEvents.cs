using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Receives machine events of perf.data or NetTrace 6 and writes them in another format. Types of processes, threads and images are those
/// of <see cref="KernelEvents"/>.
/// </summary>
internal interface IMachineEvents
{
    /// <summary>The state when the recording began, except its processes.</summary>
    void Begin(long time, RecordedThreads threads, KernelMapping? kernel);

    /// <summary>A process began, ended or is listed.</summary>
    void Process(long time, byte type, ProcessFacts process, int parent, int exitCode);

    /// <summary>A thread began, ended or is listed.</summary>
    void Thread(long time, int processor, byte type, int process, int thread, string name);

    /// <summary>A thread got a name.</summary>
    void ThreadName(long time, int processor, int process, int thread, string name);

    /// <summary>A file's code was mapped or unmapped.</summary>
    void Image(long time, int processor, byte type, int process, ulong start, ulong length, ulong fileOffset, string path, string buildId);

    /// <summary>Memory for generated code was mapped.</summary>
    void Memory(long time, int process, ulong start, ulong length);

    /// <summary>The trace itself names code.</summary>
    void Symbol(long time, int process, bool isKernel, ulong start, ulong last, string name);

    /// <summary>A CPU sample; <paramref name="stackEnd"/> describes the end of its stack.</summary>
    void Sample(long time, int processor, int process, int thread, ulong address, ushort stackEnd, ReadOnlySpan<ulong> frames);

    /// <summary>A thread was switched out.</summary>
    void SwitchedOut(long time, int processor, int process, int thread, byte state, byte reason);

    /// <summary>A thread was switched in; the frames are those of its switch-out.</summary>
    void SwitchedIn(long time, int processor, int process, int thread, ReadOnlySpan<ulong> frames);

    /// <summary>A thread was readied.</summary>
    void ReadyThread(long time, int processor, int byProcess, int byThread, int thread);
}
