namespace EtwSerializerProfiler.Analysis.Findings;

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
