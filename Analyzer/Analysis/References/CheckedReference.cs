using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References;

/// <summary>A reference and what would be loaded for it.</summary>
/// <param name="From">The assembly that has it.</param>
/// <param name="Entry">The reference.</param>
/// <param name="Status">Where what it names was found.</param>
/// <param name="IsNetFramework">Whether the assembly's folder is of a program for .NET Framework, which takes no other version than the one asked for.</param>
public sealed record CheckedReference(AssemblyFile From, AssemblyReferenceEntry Entry, ReferenceStatus Status, bool IsNetFramework)
{
    /// <summary>The file found beside the assembly; null when it was found elsewhere or not at all.</summary>
    public AssemblyFile? Target { get; init; }

    /// <summary>Version of what was found; null when nothing was.</summary>
    public Version? FoundVersion { get; init; }

    /// <summary>Version that a binding redirect asks for instead; null without one.</summary>
    public Version? RedirectedTo { get; init; }

    /// <summary>Whether the framework that it was found in is of the version that the program is for: an older or newer one tells nothing of versions.</summary>
    public bool IsFrameworkExact { get; init; } = true;

    /// <summary>Version that is asked for in the end.</summary>
    public Version Wanted => RedirectedTo ?? Entry.Identity.Version;

    /// <summary>The reference in a few words, for findings.</summary>
    public string Title => $"{From.Name} to {Entry.Identity}";
}

/// <summary>Where the assembly that a reference names was found.</summary>
public enum ReferenceStatus
{
    /// <summary>Beside the assembly, or in a folder above it.</summary>
    Found,

    /// <summary>In a framework that is installed here.</summary>
    Framework,

    /// <summary>It has the key of a framework that is not installed here (.NET Framework, Windows Desktop): it was not looked for.</summary>
    OtherFramework,

    /// <summary>Nowhere.</summary>
    Missing,
}
