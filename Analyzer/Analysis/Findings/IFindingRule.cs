namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>A rule that checks the input for one thing.</summary>
public interface IFindingRule
{
    /// <summary>Returns the findings; none when all is well, or when the needed data was not recorded or read.</summary>
    /// <param name="input">The trace input.</param>
    IEnumerable<Finding> Check(FindingInput input);
}
