using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Something to be known about the numbers.</summary>
/// <param name="Kind">Warning or hint.</param>
/// <param name="Code">Short stable name, for programs.</param>
/// <param name="Text">The finding in one sentence, without a full stop; it holds the advice, too.</param>
public sealed record Finding(FindingKind Kind, string Code, string Text)
{
    /// <summary>How sure the conclusion is.</summary>
    public FindingConfidence Confidence { get; init; } = FindingConfidence.Certain;

    /// <summary>How to fix it, without a full stop; empty when the text is all there is to say.</summary>
    public string Advice { get; init; } = "";

    /// <summary>The finding without the advice that its text ends with: for those who show the advice apart.</summary>
    public string Sentence => Advice.Length > 0 && Text.EndsWith("; " + Advice, StringComparison.Ordinal) ? Text[..^(Advice.Length + 2)] : Text;

    /// <summary>Time that it costs the program, in ms: pauses, waits summed over threads, or CPU time; null when it has no such price. Orders findings.</summary>
    public double? CostMs { get; init; }

    /// <summary>The numbers it rests on.</summary>
    public IReadOnlyList<FindingFigure> Evidence { get; init; } = [];

    /// <summary>Where in the trace to look, the worst first.</summary>
    public IReadOnlyList<FindingPlace> Places { get; init; } = [];
}

/// <summary>How much a finding matters.</summary>
public enum FindingKind
{
    /// <summary>Something is missing, or numbers contradict each other: read the tables with care.</summary>
    Warning = 0,

    /// <summary>Advice on the benchmark or on the recording.</summary>
    Hint = 1,
}

/// <summary>How sure the conclusion of a finding is; its numbers are measured in any case.</summary>
public enum FindingConfidence
{
    /// <summary>The trace says so itself.</summary>
    Certain = 0,

    /// <summary>The signs are those of this disease, and of no other that is known.</summary>
    Likely = 1,

    /// <summary>Other causes would look the same.</summary>
    Possible = 2,
}

/// <summary>A number that a finding rests on.</summary>
/// <param name="Name">What it is, for people: <c>exponent of BinaryFormatter Deserialize</c>.</param>
/// <param name="Value">The number.</param>
/// <param name="Unit">Its unit; empty for a count or a ratio.</param>
public readonly record struct FindingFigure(string Name, double Value, string Unit)
{
    /// <summary>Bounds of its 95 % interval; null when it has none.</summary>
    public (double Low, double High)? Interval { get; init; }
}

/// <summary>A place in the trace that a finding is about.</summary>
/// <param name="Process">Process of it.</param>
/// <param name="RunId">Number of the run in its process; null when it lies in none or in several.</param>
/// <param name="StartMs">Begin in ms since the process's trace began.</param>
/// <param name="StopMs">End in ms since the process's trace began.</param>
/// <param name="What">What is there: a run, a collection, a method.</param>
public sealed record FindingPlace(ProcessKey Process, int? RunId, double StartMs, double StopMs, string What)
{
    /// <summary>A run as a place.</summary>
    /// <param name="run">The run.</param>
    /// <param name="what">What is to be seen of it; null for its serializer and test.</param>
    public static FindingPlace Of(Run run, string? what = null)
    {
        ArgumentNullException.ThrowIfNull(run);
        return new FindingPlace(run.Process, run.RunId, run.StartMs, run.StopMs, what ?? SummaryKey.Of(run).ToString());
    }
}
