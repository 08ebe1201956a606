using EtwSerializerProfiler.Analysis.Profiles;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>The samples of a group that were spent on one thing and have a method on their stacks.</summary>
/// <param name="group">The group.</param>
/// <param name="category">What they were spent on.</param>
/// <param name="method">The method.</param>
public sealed class MethodSum(ProfileGroup group, ProfileCategory category, ProfileFrame method)
{
    /// <summary>The group.</summary>
    public ProfileGroup Group { get; } = group;

    /// <summary>What the samples were spent on.</summary>
    public ProfileCategory Category { get; } = category;

    /// <summary>The method.</summary>
    public ProfileFrame Method { get; } = method;

    /// <summary>Samples in the method itself.</summary>
    public long SelfSamples { get; set; }

    /// <summary>CPU time of these, in ns.</summary>
    public long SelfNs { get; set; }

    /// <summary>Samples in it or in what it called.</summary>
    public long TotalSamples { get; set; }

    /// <summary>CPU time of these, in ns.</summary>
    public long TotalNs { get; set; }
}
