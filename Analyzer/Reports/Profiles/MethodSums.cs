using EtwSerializerProfiler.Analysis.Profiles;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>Adds the samples of a profile up by group, cause and method.</summary>
internal static class MethodSums
{
    /// <summary>The rows: by group and, most expensive first, by what was spent in the method itself.</summary>
    public static IReadOnlyList<MethodSum> Of(SampleProfile profile)
    {
        var sums = new Dictionary<(int Group, int Category, int Frame), MethodSum>();
        var frames = new List<int>();
        foreach (var sum in profile.Sums)
        {
            // A method that is on a stack twice counts once.
            profile.Stacks.Walk(sum.Stack, frames);
            foreach (var frame in frames.Distinct())
            {
                if (!sums.TryGetValue((sum.Group, sum.Category, frame), out var row))
                    sums.Add(
                        (sum.Group, sum.Category, frame),
                        row = new MethodSum(profile.Groups[sum.Group], ProfileCategory.All[sum.Category], profile.Stacks.Frames[frame])
                    );
                row.TotalSamples += sum.Samples;
                row.TotalNs += sum.CpuNs;
                if (frame != frames[^1])
                    continue;
                row.SelfSamples += sum.Samples;
                row.SelfNs += sum.CpuNs;
            }
        }

        return
        [
            .. sums.OrderBy(row => row.Key.Group)
                .ThenByDescending(row => row.Value.SelfNs)
                .ThenByDescending(row => row.Value.TotalNs)
                .ThenBy(row => row.Value.Method.Name, StringComparer.Ordinal)
                .ThenBy(row => row.Key.Category)
                .ThenBy(row => row.Key.Frame)
                .Select(row => row.Value),
        ];
    }
}

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
