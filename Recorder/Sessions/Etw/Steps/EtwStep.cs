using EtwSerializerProfiler.Sessions.Etw.Plans;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>One step of carrying out a plan: a command, or something that the recorder does itself.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="Title">The same in a few words.</param>
/// <param name="Why">Why it is there, and why so.</param>
public sealed record EtwStep(EtwStepKind Kind, string Title, string Why)
{
    /// <summary>The command; null for what the recorder does itself.</summary>
    public EtwCommand? Command { get; init; }

    /// <summary>What the recorder does itself (calls of TraceEvent by their names); empty for a command.</summary>
    public string Action { get; init; } = "";

    /// <summary>Whether it needs administrator's rights.</summary>
    public bool NeedsElevation { get; init; }

    /// <summary>Commands that take it back, in order; empty when there is nothing to take back or the recorder does that itself.</summary>
    public IReadOnlyList<EtwCommand> Undo { get; init; } = [];

    /// <summary>What the recorder does to take it back; empty when <see cref="Undo"/> says it or there is nothing to take back.</summary>
    public string UndoAction { get; init; } = "";

    /// <summary>Parts of the plan that it carries out.</summary>
    public IReadOnlyList<string> Implements { get; init; } = [];

    /// <summary>What exists from this step on and has to be taken back if a later one fails: sessions by name, <see cref="IntervalMark"/>, <see cref="NoteMark"/>.</summary>
    public IReadOnlyList<string> Opens { get; init; } = [];

    /// <summary>What of that exists no longer after this step.</summary>
    public IReadOnlyList<string> Closes { get; init; } = [];

    /// <summary>Files that it writes, as the command names them.</summary>
    public IReadOnlyList<string> Writes { get; init; } = [];

    /// <summary>How long it waits; zero for every step but that one.</summary>
    public TimeSpan Wait { get; init; }

    /// <summary>Variables of the program's environment, in the step that runs it.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>The user session that it is about, null for another step.</summary>
    public EtwUserSession? Session { get; init; }

    /// <summary>The provider that it is about, null for another step.</summary>
    public EtwProvider? Provider { get; init; }

    /// <summary>Mark of a changed sample interval in <see cref="Opens"/>.</summary>
    public const string IntervalMark = "sample interval";

    /// <summary>Mark of the note file in <see cref="Opens"/>.</summary>
    public const string NoteMark = "note";
}
