using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>A finding about the numbers.</summary>
/// <param name="Kind">Warning or hint.</param>
/// <param name="Code">Short stable name, for scripts.</param>
/// <param name="Text">The finding in one sentence without a full stop, including the advice.</param>
public sealed record Finding(FindingKind Kind, string Code, string Text)
{
    /// <summary>Confidence of the conclusion.</summary>
    public FindingConfidence Confidence { get; init; } = FindingConfidence.Certain;

    /// <summary>Advice without a full stop; empty if there is none.</summary>
    public string Advice { get; init; } = "";

    /// <summary>The text without the advice at its end, for output that shows the advice separately.</summary>
    public string Sentence =>
        Advice.Length > 0 && Text.EndsWith("; " + Advice, StringComparison.Ordinal) ? Text[..^(Advice.Length + 2)] : Text;

    /// <summary>
    /// Time that it costs the program, in ms: pauses, waits summed over threads, or CPU time; null when not expressed as time. Orders
    /// findings.
    /// </summary>
    public double? CostMs { get; init; }

    /// <summary>The evidence.</summary>
    public IReadOnlyList<FindingEvidence> Evidence { get; init; } = [];

    /// <summary>Locations in the trace, worst first.</summary>
    public IReadOnlyList<FindingLocation> Locations { get; init; } = [];
}

/// <summary>Severity of a finding.</summary>
public enum FindingKind
{
    /// <summary>Something is missing, or numbers contradict each other: read the tables with care.</summary>
    Warning = 0,

    /// <summary>Advice on the benchmark or on the recording.</summary>
    Hint = 1,
}

/// <summary>Confidence of a finding's conclusion; its evidence is measured in any case.</summary>
public enum FindingConfidence
{
    /// <summary>The trace shows it directly.</summary>
    Certain = 0,

    /// <summary>The evidence matches this known issue and no other.</summary>
    Likely = 1,

    /// <summary>Other causes would look the same.</summary>
    Possible = 2,
}

/// <summary>An evidence number of a finding.</summary>
/// <param name="Name">Its name: <c>exponent of BinaryFormatter Deserialize</c>.</param>
/// <param name="Value">The number.</param>
/// <param name="Unit">Its unit; empty for a count or a ratio.</param>
public readonly record struct FindingEvidence(string Name, double Value, string Unit)
{
    /// <summary>Bounds of its 95 % interval; null if it has none.</summary>
    public (double Low, double High)? Interval { get; init; }
}

/// <summary>A location in the trace for a finding.</summary>
/// <param name="Process">Its process.</param>
/// <param name="RunId">Number of the run in its process; null when outside of runs or in several.</param>
/// <param name="StartMs">Start in ms since the start of the process's trace.</param>
/// <param name="StopMs">End in ms since the start of the process's trace.</param>
/// <param name="What">Description: a run, a GC, a method.</param>
public sealed record FindingLocation(ProcessKey Process, int? RunId, double StartMs, double StopMs, string What)
{
    /// <summary>Creates the location of a run.</summary>
    /// <param name="run">The run.</param>
    /// <param name="what">Description; null for its serializer and test.</param>
    public static FindingLocation Of(Run run, string? what = null)
    {
        ArgumentNullException.ThrowIfNull(run);
        return new FindingLocation(run.Process, run.RunId, run.StartMs, run.StopMs, what ?? SummaryKey.Of(run).ToString());
    }
}
