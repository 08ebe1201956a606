using EtwSerializerProfiler.Sessions.Etw.Plans;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>One step of a plan: a command, or an action of the recorder itself.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Title">Its title in a few words.</param>
/// <param name="Why">Reason for the step and for how it is done.</param>
public sealed record EtwStep(EtwStepKind Kind, string Title, string Why)
{
    /// <summary>The command; null for an action of the recorder.</summary>
    public EtwCommand? Command { get; init; }

    /// <summary>The recorder's action (TraceEvent's calls by name); empty for a command.</summary>
    public string Action { get; init; } = "";

    /// <summary>Whether it needs administrator rights.</summary>
    public bool NeedsElevation { get; init; }

    /// <summary>Commands that undo it, in order; empty when there is nothing to undo or the recorder undoes it itself.</summary>
    public IReadOnlyList<EtwCommand> Undo { get; init; } = [];

    /// <summary>The recorder's action that undoes it; empty when <see cref="Undo"/> has commands or there is nothing to undo.</summary>
    public string UndoAction { get; init; } = "";

    /// <summary>Parts of the plan that it implements.</summary>
    public IReadOnlyList<string> Implements { get; init; } = [];

    /// <summary>
    /// Effects that begin with this step and must be undone if a later step fails: sessions by name, <see cref="IntervalMark"/>,
    /// <see cref="NoteMark"/>.
    /// </summary>
    public IReadOnlyList<string> Opens { get; init; } = [];

    /// <summary>Effects that end with this step.</summary>
    public IReadOnlyList<string> Closes { get; init; } = [];

    /// <summary>Files that it writes, as the command names them.</summary>
    public IReadOnlyList<string> Writes { get; init; } = [];

    /// <summary>Waiting time; zero for all other steps.</summary>
    public TimeSpan Wait { get; init; }

    /// <summary>Environment variables of the program, in the step that runs it.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>The step's user session; null for other steps.</summary>
    public EtwUserSession? Session { get; init; }

    /// <summary>The step's provider; null for other steps.</summary>
    public EtwProvider? Provider { get; init; }

    /// <summary>The changed sample interval in <see cref="Opens"/>.</summary>
    public const string IntervalMark = "sample interval";

    /// <summary>The session ledger entry in <see cref="Opens"/>.</summary>
    public const string NoteMark = "note";
}
