namespace EtwSerializerProfiler.Analysis.Runs.Delimiting;

/// <summary>
/// A way to find where a run begins and ends. <see cref="All"/> lists them, the most exact one first; a run is delimited by the first one for which the trace has the evidence.
/// Errors are medians of a run's duration against the program's own clock.
/// </summary>
public sealed class RunDelimiter
{
    /// <summary>The marker thread's switch-out, and the moment the measuring thread readied it. Needs a kernel session with tracepoints. Error 5–13 µs.</summary>
    public static readonly RunDelimiter MarkerReady = new("MarkerReady", run => run.HasOwnWait ? run.Wait.UntilReadied : null);

    /// <summary>Two events of the program that the user named, each written by the thread that began or ended the run.</summary>
    public static readonly RunDelimiter Events = new("Events", run => run.Marks.IsOfEvents ? RunSpan.Of(run.Marks.MarkStart, run.Marks.MarkClockStopped) : null) { Phrase = "their events" };

    /// <summary>The events RunStart and RunClockStopped of the measuring thread: no wake-up lies between them. Error 17–22 µs.</summary>
    public static readonly RunDelimiter Marks = new("Marks", run => RunSpan.Of(run.Marks.MarkStart, run.Marks.MarkClockStopped)) { Phrase = "their marks" };

    /// <summary>The marker thread's switch-out and switch-in, by a kernel session of an ordinary user: late by the time the thread takes to wake. Error 68–85 µs.</summary>
    public static readonly RunDelimiter MarkerSwitch = new("MarkerSwitch", run => run.HasOwnWait ? run.Wait.UntilSwitchedIn : null);

    /// <summary>The marker thread's wait by the runtime's WaitHandle events, which come later still. Error 65–132 µs.</summary>
    public static readonly RunDelimiter MarkerWait = new("MarkerWait", run => run.HasOwnWait ? run.Wait.ByEvents : null) { Phrase = "the marker's wait" };

    /// <summary>The program's own clock, from RunStop or the run CSV: used where nothing that was recorded from outside delimits the run.</summary>
    public static readonly RunDelimiter SelfReported = new("SelfReported", run => run.OwnClock) { IsProgramsOwn = true };

    /// <summary>The whole process, for a program that marks no runs.</summary>
    public static readonly RunDelimiter WholeProcess = new("WholeProcess", _ => null) { IsProgramsOwn = true };

    private static readonly RunDelimiter[] s_all = [MarkerReady, Events, Marks, MarkerSwitch, MarkerWait, SelfReported, WholeProcess];

    private RunDelimiter(string name, Func<RunEvidence, RunSpan?> find) => (Name, Find) = (name, find);

    /// <summary>All of them, the most exact one first.</summary>
    public static IReadOnlyList<RunDelimiter> All => s_all;

    /// <summary>Name in reports and stores.</summary>
    public string Name { get; }

    /// <summary>The evidence as a sentence names it.</summary>
    public string Phrase { get; private init; } = "begin and end";

    /// <summary>Place in <see cref="All"/>.</summary>
    public int Rank => Array.IndexOf(s_all, this);

    /// <summary>Whether the program's own clock cannot be compared with it, because it is that clock, or no run's.</summary>
    public bool IsProgramsOwn { get; private init; }

    /// <summary>Whether its runs are those of a serializer, whose code tags name.</summary>
    public bool NamesSerializer => this != WholeProcess && this != Events;

    /// <summary>Begin and end of a run; null when the trace lacks the evidence.</summary>
    internal Func<RunEvidence, RunSpan?> Find { get; }

    /// <summary>The delimiter of a name that <see cref="Name"/> gave; null for another name.</summary>
    public static RunDelimiter? Named(string name) => Array.Find(s_all, delimiter => delimiter.Name == name);

    /// <summary>Begin and end by the best delimiter there is; null when the run did not end or left no trace.</summary>
    internal static RunWindow? Delimit(RunEvidence run)
    {
        foreach (var delimiter in s_all)
        {
            if (delimiter.Find(run) is { } span)
                return new RunWindow(delimiter, span.Start, span.Stop);
        }

        return null;
    }

    /// <inheritdoc />
    public override string ToString() => Name;
}

/// <summary>Begin and end of a run.</summary>
/// <param name="Delimiter">What gave them.</param>
/// <param name="Start">Begin in ticks of the trace's clock.</param>
/// <param name="Stop">End in ticks of the trace's clock.</param>
internal sealed record RunWindow(RunDelimiter Delimiter, long Start, long Stop);
