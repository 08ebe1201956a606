namespace EtwSerializerProfiler.Analysis.Runs.Delimiting;

/// <summary>
/// A method to find the start and stop of a run. <see cref="All"/> lists them, most exact first; the first one with evidence in the trace
/// delimits a run. Errors are medians of a run's duration against the program's own clock.
/// </summary>
public sealed class RunDelimiter
{
    /// <summary>
    /// The marker thread's switch-out, and the time at which the measuring thread readied it. Needs a kernel session with tracepoints.
    /// Error 5–13 µs.
    /// </summary>
    public static readonly RunDelimiter MarkerReady = new("MarkerReady", run => run.HasOwnWait ? run.Wait.UntilReadied : null);

    /// <summary>Two events of the program that the user named, written by the thread that began or ended the run.</summary>
    public static readonly RunDelimiter Events = new(
        "Events",
        run => run.Marks.IsOfEvents ? RunSpan.Of(run.Marks.MarkStart, run.Marks.MarkClockStopped) : null
    )
    {
        Phrase = "their events",
    };

    /// <summary>The events RunStart and RunClockStopped of the measuring thread, with no wake-up in between. Error 17–22 µs.</summary>
    public static readonly RunDelimiter Marks = new("Marks", run => RunSpan.Of(run.Marks.MarkStart, run.Marks.MarkClockStopped))
    {
        Phrase = "their marks",
    };

    /// <summary>
    /// The marker thread's switch-out and switch-in, from a kernel session of an ordinary user; late by the thread's wake-up time. Error
    /// 68–85 µs.
    /// </summary>
    public static readonly RunDelimiter MarkerSwitch = new("MarkerSwitch", run => run.HasOwnWait ? run.Wait.UntilSwitchedIn : null);

    /// <summary>The marker thread's wait by the runtime's WaitHandle events, which come even later. Error 65–132 µs.</summary>
    public static readonly RunDelimiter MarkerWait = new("MarkerWait", run => run.HasOwnWait ? run.Wait.ByEvents : null)
    {
        Phrase = "the marker's wait",
    };

    /// <summary>The program's own clock, from RunStop or the run CSV, when no recorded event delimits the run.</summary>
    public static readonly RunDelimiter SelfReported = new("SelfReported", run => run.OwnClock) { IsProgramsOwn = true };

    /// <summary>The whole process, for a program without marks.</summary>
    public static readonly RunDelimiter WholeProcess = new("WholeProcess", _ => null) { IsProgramsOwn = true };

    private static readonly RunDelimiter[] s_all = [MarkerReady, Events, Marks, MarkerSwitch, MarkerWait, SelfReported, WholeProcess];

    private RunDelimiter(string name, Func<RunEvidence, RunSpan?> find) => (Name, Find) = (name, find);

    /// <summary>All delimiters, most exact first.</summary>
    public static IReadOnlyList<RunDelimiter> All => s_all;

    /// <summary>Name in reports and stores.</summary>
    public string Name { get; }

    /// <summary>The evidence as a phrase for sentences.</summary>
    public string Phrase { get; private init; } = "start and stop";

    /// <summary>Index in <see cref="All"/>.</summary>
    public int Rank => Array.IndexOf(s_all, this);

    /// <summary>
    /// Whether comparing it with the program's own clock is meaningless, because it is that clock, or because there is no run.
    /// </summary>
    public bool IsProgramsOwn { get; private init; }

    /// <summary>Whether its runs are those of a serializer that code tags identify.</summary>
    public bool NamesSerializer => this != WholeProcess && this != Events;

    /// <summary>Finds start and stop of a run; null when the trace lacks the evidence.</summary>
    internal Func<RunEvidence, RunSpan?> Find { get; }

    /// <summary>The delimiter with a <see cref="Name"/>; null for an unknown name.</summary>
    public static RunDelimiter? Named(string name) => Array.Find(s_all, delimiter => delimiter.Name == name);

    /// <summary>Start and stop by the best available delimiter; null when the run did not end or left no trace.</summary>
    internal static RunWindow? Delimit(RunEvidence run)
    {
        foreach (var delimiter in s_all)
        {
            if (delimiter.Find(run) is { } found)
            {
                var (start, stop) = run.Narrow(found);
                return new RunWindow(delimiter, start, stop);
            }
        }

        return null;
    }

    /// <inheritdoc />
    public override string ToString() => Name;
}

/// <summary>Start and stop of a run.</summary>
/// <param name="Delimiter">Their delimiter.</param>
/// <param name="Start">Start in ticks of the trace's clock.</param>
/// <param name="Stop">End in ticks of the trace's clock.</param>
internal sealed record RunWindow(RunDelimiter Delimiter, long Start, long Stop);
