namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Looks at a result for one thing.</summary>
public interface IFindingRule
{
    /// <summary>What it finds; nothing when all is well.</summary>
    IEnumerable<Finding> Check(AnalysisResult result);
}
