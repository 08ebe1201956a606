namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Something to be known about the numbers.</summary>
/// <param name="Kind">Warning or hint.</param>
/// <param name="Code">Short stable name, for programs.</param>
/// <param name="Text">The finding in one sentence, without a full stop.</param>
public sealed record Finding(FindingKind Kind, string Code, string Text);
