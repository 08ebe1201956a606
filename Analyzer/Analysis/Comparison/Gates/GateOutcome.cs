namespace EtwSerializerProfiler.Analysis.Comparison.Gates;

/// <summary>What a gate says of one measure of one pair.</summary>
public enum GateOutcome
{
    /// <summary>No worsening beyond the limit, and one would have been found.</summary>
    Passed = 0,

    /// <summary>Worse by more than the limit, and more than noise makes of all the rows that were looked at.</summary>
    Violated = 1,

    /// <summary>A worsening as large as the limit could hide in the noise, or the measure was not recorded.</summary>
    NotJudged = 2,
}
