namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>What a comparison of the runs of two sides came to.</summary>
public enum Verdict
{
    /// <summary>No difference beyond noise was found, and one as large as was to be resolved would have been.</summary>
    Same = 0,

    /// <summary>The other side costs more.</summary>
    Worse = 1,

    /// <summary>The other side costs less.</summary>
    Better = 2,

    /// <summary>No difference beyond noise was found, but one as large as was to be resolved could hide in it.</summary>
    TooFewRuns = 3,

    /// <summary>One side or both did not record the measure.</summary>
    NotRecorded = 4,
}
