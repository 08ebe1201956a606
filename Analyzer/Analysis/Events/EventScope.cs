using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>A process in an event report: its runs, those that match, and its symbols.</summary>
internal sealed class EventScope
{
    private readonly int[] _groups;

    /// <summary>Creates the scope of a process.</summary>
    /// <param name="process">The process.</param>
    /// <param name="runs">All its runs.</param>
    /// <param name="filter">Selects matching runs.</param>
    /// <param name="groups">Receives the rows of the runs.</param>
    /// <param name="symbols">Its symbols; null when the report needs none.</param>
    public EventScope(TracedProcess process, IEnumerable<Run> runs, RunFilter filter, Interner<SummaryKey> groups, ProcessSymbols? symbols)
    {
        Process = process;
        Runs = [.. runs.OrderBy(run => run.StartTicks)];
        Windows = RunWindows.Of(Runs);
        _groups = [.. Runs.Select(run => filter.Matches(run) ? groups.GetOrAdd(SummaryKey.Of(run)) : -1)];
        Symbols = symbols;
        Clock = process.Sources[0].Clock;
    }

    /// <summary>The process.</summary>
    public TracedProcess Process { get; }

    /// <summary>Clock of its events.</summary>
    public TraceClock Clock { get; }

    /// <summary>All its runs, ordered by start.</summary>
    public IReadOnlyList<Run> Runs { get; }

    /// <summary>Their windows.</summary>
    public RunWindows Windows { get; }

    /// <summary>Its symbols; null when the report needs none.</summary>
    public ProcessSymbols? Symbols { get; }

    /// <summary>Row of the run whose window contains an event (<see cref="RunWindows.IndexAt"/>); -1 outside matching runs.</summary>
    public int GroupAt(in EventAt at) => GroupAt(at.Time, at.ThreadId);

    /// <summary>Row of the run whose window contains <paramref name="time"/>; -1 outside matching runs.</summary>
    public int GroupAt(long time, long? thread = null) => Windows.IndexAt(time, thread) is var index and >= 0 ? _groups[index] : -1;

    /// <summary>Row of a run, by its tally; -1 when it does not match.</summary>
    public int GroupOf(RunTally tally) => _groups[tally.Index];

    /// <summary>The run of a tally.</summary>
    public Run RunOf(RunTally tally) => Runs[tally.Index];

    /// <summary>Location of a part of a run.</summary>
    public EventInterval IntervalOf(RunTally tally, long start, long ticks)
    {
        // Relative to the run, because the sources of a process begin at different times.
        var run = RunOf(tally);
        var ms = run.StartMs + Clock.ToMilliseconds(start - run.StartTicks);
        return new EventInterval(Process.Key, run.RunId, ms, ms + Clock.ToMilliseconds(ticks));
    }

    /// <summary>Location of a moment in a run.</summary>
    public EventInterval IntervalAt(in EventAt at) => IntervalOf(Windows.At(at.Time, at.ThreadId)!, at.Time, 0);

    /// <summary>Name of a thread; empty when unknown.</summary>
    public string ThreadName(long thread) => Symbols?.Layout.ThreadName(thread) ?? "";
}
