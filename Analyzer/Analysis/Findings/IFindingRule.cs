namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Looks at what was read for one thing.</summary>
public interface IFindingRule
{
    /// <summary>What it finds; nothing when all is well, or when what it needs was not recorded or not read.</summary>
    /// <param name="input">What was read.</param>
    IEnumerable<Finding> Check(FindingInput input);
}
