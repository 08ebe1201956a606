namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>How much a finding matters.</summary>
public enum FindingKind
{
    /// <summary>Something is missing, or numbers contradict each other: read the tables with care.</summary>
    Warning = 0,

    /// <summary>Advice on the benchmark or on the recording.</summary>
    Hint = 1,
}
