namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Something to be known about the numbers.</summary>
/// <param name="Kind">Warning or hint.</param>
/// <param name="Code">Short stable name, for programs.</param>
/// <param name="Text">The finding in one sentence, without a full stop; it holds the advice, too.</param>
public sealed record Finding(FindingKind Kind, string Code, string Text)
{
    /// <summary>How sure the conclusion is.</summary>
    public FindingConfidence Confidence { get; init; } = FindingConfidence.Certain;

    /// <summary>What to do, without a full stop; empty when the text is all there is to say.</summary>
    public string Advice { get; init; } = "";

    /// <summary>The finding without the advice that its text ends with: for those who show the advice apart.</summary>
    public string Sentence => Advice.Length > 0 && Text.EndsWith("; " + Advice, StringComparison.Ordinal) ? Text[..^(Advice.Length + 2)] : Text;

    /// <summary>The numbers it rests on.</summary>
    public IReadOnlyList<FindingFigure> Evidence { get; init; } = [];

    /// <summary>Where in the trace to look, the worst first.</summary>
    public IReadOnlyList<FindingPlace> Places { get; init; } = [];
}
