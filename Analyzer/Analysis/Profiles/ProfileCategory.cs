using EtwSerializerProfiler.Analysis.Causes;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>
/// What a sample was spent on, as exports call it: the serializer's own code, a cause, or a part outside of the serializer.
/// </summary>
/// <param name="Key">Name for programs: a cause's key, own, harness, broken, gcThreads, jitThreads, otherThreads.</param>
/// <param name="Group">Name for people; of a cause its group.</param>
/// <param name="Name">Name in the group, empty when the group has no other.</param>
public sealed record ProfileCategory(string Key, string Group, string Name)
{
    /// <summary>All of them: own, the causes in the order of <see cref="CauseCatalog.All"/>, the parts outside of the serializer.</summary>
    public static IReadOnlyList<ProfileCategory> All { get; } =
    [
        new("own", "Own", ""),
        .. CauseCatalog.All.Select(cause => new ProfileCategory(cause.Key, cause.Group, cause.Name)),
        new("harness", "Harness", ""),
        new("broken", "Broken", ""),
        new("gcThreads", "GC threads", ""),
        new("jitThreads", "JIT threads", ""),
        new("otherThreads", "Other threads", ""),
    ];

    /// <summary>Both names.</summary>
    public string FullName => Name.Length > 0 ? $"{Group}: {Name}" : Group;

    /// <summary>The number in <see cref="All"/> of what a sample was spent on.</summary>
    internal static int NumberOf(SampleClass sample) =>
        sample.Part == SamplePart.Serializer ? sample.Cause + 1 : CauseCatalog.All.Count + (int)sample.Part;
}
