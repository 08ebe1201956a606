using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>One process of a profile: its symbols, its GCs, its clock and threads.</summary>
internal sealed class ProfileScope
{
    private const long NanosecondsPerSecond = 1_000_000_000;

    private readonly TracedProcess _process;
    private readonly ProfileTables _tables;
    private readonly HashSet<long> _measuring;
    private readonly TraceClock _clock;

    /// <summary>The last looked-up thread and its number, because consecutive samples are mostly of one thread.</summary>
    private (long Thread, int Number) _last = (-1, -1);

    /// <summary>Creates the scope of a process.</summary>
    /// <param name="process">The process.</param>
    /// <param name="symbols">Its symbols.</param>
    /// <param name="pauses">Its GCs.</param>
    /// <param name="tables">The profile.</param>
    /// <param name="originTicks">When the recording began.</param>
    /// <param name="measuring">Threads that measure.</param>
    public ProfileScope(
        TracedProcess process,
        ProcessSymbols symbols,
        GcPauses pauses,
        ProfileTables tables,
        long originTicks,
        IEnumerable<long> measuring
    )
    {
        (_process, Symbols, Pauses, _tables) = (process, symbols, pauses, tables);
        _clock = new TraceClock(originTicks, process.Sources[0].Clock.TicksPerSecond);
        _measuring = [.. measuring];
    }

    public ProcessSymbols Symbols { get; }

    public GcPauses Pauses { get; }

    /// <summary>A time in ns since the recording began.</summary>
    public long Since(long time) => Nanoseconds(time - _clock.OriginTicks);

    /// <summary>A span in ns.</summary>
    public long Nanoseconds(long ticks) => _clock.TicksPerSecond == NanosecondsPerSecond ? ticks : _clock.ToNanoseconds(ticks);

    /// <summary>The number of a thread.</summary>
    public int ThreadOf(long thread)
    {
        if (_last.Thread != thread || _last.Number < 0)
            _last = (thread, _tables.ThreadOf(_process, thread, Symbols.Layout.ThreadName, _measuring.Contains));
        return _last.Number;
    }
}
