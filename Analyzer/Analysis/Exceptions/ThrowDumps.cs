using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Exceptions;

/// <summary>
/// Matches dumps with throws: among the throws of the dump's type and message on its thread, the one nearest in time, within a second. The
/// event is just before the moment at which the thread was held or, if the runtime writes it later, after the time of the dump.
/// </summary>
/// <typeparam name="T">Tally that counts a throw.</typeparam>
internal sealed class ThrowDumps<T>
    where T : class
{
    private readonly List<Candidate> _dumps;
    private readonly long _furthest;

    /// <summary>Selects the dumps of a process.</summary>
    /// <param name="process">The process.</param>
    /// <param name="clock">Clock of its events.</param>
    /// <param name="recordings">Recordings with their dumps.</param>
    public ThrowDumps(TracedProcess process, TraceClock clock, IReadOnlyList<InputRecording> recordings)
    {
        _furthest = clock.TicksPerSecond;
        _dumps =
        [
            .. recordings
                .Where(recording => recording.Label == process.Label)
                .SelectMany(recording => recording.Description.Dumps)
                .Where(dump => dump.ProcessId == process.ProcessId && dump.ExceptionType.Length > 0 && dump.TicksPerSecond > 0)
                .Select(dump => new Candidate(
                    dump,
                    Ticks(dump.MomentTicks, dump, clock),
                    Ticks(dump.Held ? dump.StopTicks : dump.MomentTicks, dump, clock)
                )),
        ];
    }

    /// <summary>Whether there are no dumps, so that throws need not be noted.</summary>
    public bool IsEmpty => _dumps.Count == 0;

    /// <summary>Notes a throw; also required for throws outside the matching runs.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="where">The tally that counts it; null outside the matching runs.</param>
    public void Note(in ExceptionThrown exception, T? where)
    {
        foreach (var candidate in _dumps)
        {
            var dump = candidate.Dump;
            if (
                !exception.Type.SequenceEqual(dump.ExceptionType)
                || (dump.ThreadId is { } thread && thread != exception.At.ThreadId)
                || !exception.Message.StartsWith(dump.Message, StringComparison.Ordinal)
            )
                continue;
            var distance = Math.Max(0, Math.Max(candidate.Start - exception.At.Time, exception.At.Time - candidate.Stop));
            if (distance <= _furthest && distance < candidate.Distance)
                (candidate.Distance, candidate.Where) = (distance, where);
        }
    }

    /// <summary>Each dump whose throw was counted.</summary>
    public IEnumerable<(RecordedDump Dump, T Where)> Found =>
        _dumps.Where(candidate => candidate.Where is not null).Select(candidate => (candidate.Dump, candidate.Where!));

    private static long Ticks(long ticks, RecordedDump dump, TraceClock clock) =>
        dump.TicksPerSecond == clock.TicksPerSecond ? ticks : (long)((Int128)ticks * clock.TicksPerSecond / dump.TicksPerSecond);

    private sealed class Candidate(RecordedDump dump, long start, long stop)
    {
        public RecordedDump Dump { get; } = dump;

        /// <summary>Time of the trigger.</summary>
        public long Start { get; } = start;

        /// <summary>Time at which the thread continued.</summary>
        public long Stop { get; } = stop;

        public long Distance { get; set; } = long.MaxValue;

        public T? Where { get; set; }
    }
}

/// <summary>A stack of exceptions of one row.</summary>
/// <param name="Row">The row.</param>
/// <param name="Count">Number of exceptions.</param>
/// <param name="Frames">Its managed methods, throwing one first.</param>
public sealed record ThrowPath(ExceptionRow Row, long Count, IReadOnlyList<StackMethod> Frames);
