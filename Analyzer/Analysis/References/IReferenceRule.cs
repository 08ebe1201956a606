using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Analysis.References;

/// <summary>Looks at assemblies for one thing.</summary>
public interface IReferenceRule
{
    /// <summary>What it finds; nothing when all is well.</summary>
    IEnumerable<Finding> Check(ReferenceSet set);
}
