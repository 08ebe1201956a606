using System.Buffers.Binary;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>
/// Buffers records for the recorder's pipe: one half receives the records of this window, while the other half is sent piece by piece. If
/// the recorder does not read, the window gets longer, and when the half is full, samples are lost and counted. The program never waits for
/// it.
/// </summary>
/// <param name="pipe">The pipe's descriptor; writes to it do not block.</param>
/// <param name="eventId">Id of the event in the file.</param>
internal sealed unsafe class SampleBuffer(int pipe, ulong eventId) : IPerfRecordSink
{
    private const int HalfBytes = 4 << 20;

    /// <summary>Bytes sent at once; between two pieces the sampler checks for stopped threads.</summary>
    private const int PieceBytes = 64 << 10;

    /// <summary>Bytes reserved for the marks and mappings at a window's end.</summary>
    private const int ReserveBytes = 256 << 10;

    private const int HeaderSize = 8;

    /// <summary>PERF_RECORD_MISC_USER.</summary>
    private const ushort UserMode = 2;

    /// <summary>PERF_SAMPLE_REGS_ABI_64.</summary>
    private const ulong Registers64 = 2;

    /// <summary>Bytes before PERIOD: IDENTIFIER, IP, TID, TIME, CPU.</summary>
    private const int PeriodAt = HeaderSize + 40;

    private static readonly bool s_hasLink = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    private byte* _filling = (byte*)NativeMemory.Alloc(HalfBytes);
    private byte* _sending = (byte*)NativeMemory.Alloc(HalfBytes);
    private int _filled;
    private int _sent;
    private int _toSend;
    private long _lost;

    /// <summary>Samples of this window: the offset of their weight, and their thread.</summary>
    private readonly List<(int PeriodAt, SampledThread Thread)> _samples = new(4096);

    /// <summary>Start of this window.</summary>
    public long WindowStart { get; private set; }

    /// <summary>Whether the other half was sent, so that a window can end.</summary>
    public bool IsSent => _sent == _toSend;

    /// <summary>Whether the window should end early.</summary>
    public bool IsHalfFull => _filled > HalfBytes / 2;

    /// <summary>Whether the recorder has closed its end.</summary>
    public bool IsBroken { get; private set; }

    public long FirstTime { get; set; }

    /// <summary>Maximum CPU time in ns that a sample represents.</summary>
    public long MaxWeight { get; set; } = 1_000_000_000;

    public long LastTime { get; set; }

    public long DataBytes => _filled;

    public BuildIdSection BuildIds { get; } = new();

    public bool IsDirty => _filled > 0;

    /// <summary>Adds a sample of a thread that has stopped.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="stop">What was read from it.</param>
    /// <param name="time">When it stopped.</param>
    /// <param name="since">Its CPU time since its last sample.</param>
    public void AddSample(SampledThread thread, ThreadStop stop, long time, long since)
    {
        var frames = stop.Frames;
        var stack = stop.Stack;
        var stackBytes = (stack.Length + 7) / 8 * 8;
        var size = PeriodAt + 8 + 16 + frames.Length * 8 + 8 + (s_hasLink ? 32 : 24) + 8 + (stackBytes > 0 ? stackBytes + 8 : 0);
        if (_filled + size > HalfBytes - ReserveBytes)
        {
            _lost++;
            return;
        }

        var words = StartSample(thread, size, stop.Instruction, time, weight: 0); // set when the window ends
        *words++ = (ulong)frames.Length + 1;
        *words++ = PerfContext.User;
        foreach (var frame in frames)
            *words++ = frame;
        *words++ = Registers64;
        *words++ = stop.FramePointer;
        if (s_hasLink)
            *words++ = stop.Link;
        *words++ = stop.StackPointer;
        *words++ = stop.Instruction;
        *words++ = (ulong)stackBytes;
        if (stackBytes > 0)
        {
            stack.CopyTo(new Span<byte>(words, stackBytes));
            words += stackBytes / 8;
            *words = (ulong)stack.Length;
        }

        _samples.Add((_filled + PeriodAt, thread));
        thread.WindowNanoseconds += since;
        thread.WindowSamples++;
        _filled += size;
    }

    /// <summary>Adds a sample without a stack, for CPU time during which the thread was not sampled.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="time">The time.</param>
    /// <param name="weight">The CPU time in ns.</param>
    public void AddUnsampled(SampledThread thread, long time, long weight)
    {
        const int Size = PeriodAt + 8 + 16 + 8 + 8;
        if (_filled + Size > HalfBytes - HeaderSize)
        {
            _lost++;
            return;
        }

        var words = StartSample(thread, Size, instruction: 0, time, weight);
        *words++ = 1;
        *words++ = PerfContext.User;
        *words++ = 0; // no registers
        *words = 0; // no stack
        _filled += Size;
    }

    private ulong* StartSample(SampledThread thread, int size, ulong instruction, long time, long weight)
    {
        var at = _filling + _filled;
        *(int*)at = (int)PerfRecordType.Sample;
        *(ushort*)(at + 4) = UserMode;
        *(ushort*)(at + 6) = (ushort)size;
        var words = (ulong*)(at + HeaderSize);
        *words++ = eventId;
        *words++ = instruction;
        *words++ = (uint)thread.Process.Id | (ulong)(uint)thread.Id << 32;
        *words++ = (ulong)time;
        *words++ = 0; // the processor is unknown
        *words++ = (ulong)weight;
        return words;
    }

    /// <summary>Ends the window: weights its samples, marks its end and starts sending it.</summary>
    /// <remarks>
    /// The CPU time of a thread in a window is exact (schedstat), and its samples get equal parts of it, because each sample is taken at a
    /// moment independent of the thread's work. Weighting by the CPU time since the previous sample would be biased. A thread that works in
    /// bursts shorter than a tick spends most of that time in bursts that were not sampled, and a long burst, which is sampled more often,
    /// would collect it (measured: shares off by 4 to 5 points at bursts of 100 µs).
    /// </remarks>
    /// <param name="time">End of the window.</param>
    public void EndWindow(long time)
    {
        foreach (var (_, thread) in _samples)
        {
            var represented = MaxWeight * thread.WindowSamples;
            if (thread.WindowNanoseconds <= represented)
                continue;
            AddUnsampled(thread, time, thread.WindowNanoseconds - represented);
            thread.WindowNanoseconds = represented;
        }

        foreach (var (at, thread) in _samples)
            *(long*)(_filling + at) = Math.Max(1, thread.WindowNanoseconds / thread.WindowSamples); // readers take 0 for "not recorded"
        foreach (var (_, thread) in _samples)
            thread.WindowNanoseconds = thread.WindowSamples = 0;
        _samples.Clear();
        if (_lost > 0)
            new ProcessSnapshot(this, eventId, time).WriteLost(_lost);
        _lost = 0;
        WriteFinishedRound();
        var ended = _filling;
        _filling = _sending;
        _sending = ended;
        (_sent, _toSend, _filled) = (0, _filled, 0);
        WindowStart = time;
    }

    /// <summary>Sends a piece; returns without sending when the pipe is full.</summary>
    public void SendPiece()
    {
        if (IsSent)
            return;
        var count = PtraceNative.Write(pipe, _sending + _sent, (nuint)Math.Min(PieceBytes, _toSend - _sent));
        if (count > 0)
        {
            _sent += (int)count;
        }
        else if (Marshal.GetLastPInvokeError() == PtraceNative.BrokenPipe)
        {
            IsBroken = true;
            _sent = _toSend;
        }
    }

    /// <summary>Sends the rest and waits for the recorder.</summary>
    public void SendAll(long time)
    {
        PtraceNative.MakeBlocking(pipe);
        while (!IsSent)
            SendPiece();
        EndWindow(time);
        while (!IsSent)
            SendPiece();
    }

    public Span<byte> GetBuffer(int bytes) => new(_filling + _filled, HalfBytes - _filled);

    public void Advance(int bytes) => _filled += bytes;

    public void Write(ReadOnlySpan<byte> record)
    {
        if (record.Length > HalfBytes - HeaderSize - _filled)
        {
            _lost++;
            return;
        }

        record.CopyTo(GetBuffer(record.Length));
        Advance(record.Length);
    }

    public void WriteFinishedRound()
    {
        Span<byte> record = stackalloc byte[HeaderSize];
        BinaryPrimitives.WriteInt64LittleEndian(record, (int)PerfRecordType.FinishedRound | (long)HeaderSize << 48);
        record.CopyTo(GetBuffer(HeaderSize));
        Advance(HeaderSize);
    }

    public void Flush() { }

    public void Dispose()
    {
        NativeMemory.Free(_filling);
        NativeMemory.Free(_sending);
    }
}
