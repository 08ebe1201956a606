using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Analysis.References;

/// <summary>A rule that checks assemblies for one thing.</summary>
public interface IReferenceRule
{
    /// <summary>Returns the findings; none when all is well.</summary>
    IEnumerable<Finding> Check(ReferenceSet set);
}
