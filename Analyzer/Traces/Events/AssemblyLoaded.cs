namespace EtwSerializerProfiler.Traces.Events;

/// <summary>An assembly was loaded (AssemblyLoad).</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="AssemblyId">The runtime's id of the assembly.</param>
/// <param name="IsDynamic">It was made in memory by the program.</param>
/// <param name="FullName">Its name with version, culture and key.</param>
public readonly record struct AssemblyLoaded(EventAt At, long AssemblyId, bool IsDynamic, string FullName)
{
    /// <summary>Its name alone.</summary>
    public string Name => SimpleName(FullName);

    /// <summary>The name alone of a full one.</summary>
    internal static string SimpleName(string fullName) => fullName.IndexOf(',', StringComparison.Ordinal) is var comma and >= 0 ? fullName[..comma] : fullName;
}
