using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>A finding.</summary>
/// <param name="Number">Its number in the trace, from 1, in the order in which they are shown.</param>
/// <param name="Finding">The finding.</param>
public sealed record StoredFinding(int Number, Finding Finding);
