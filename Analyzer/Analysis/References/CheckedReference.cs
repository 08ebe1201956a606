using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Analysis.References;

/// <summary>A reference with the assembly that would be loaded.</summary>
/// <param name="From">The referencing assembly.</param>
/// <param name="Entry">The reference.</param>
/// <param name="Status">Location of the referenced assembly.</param>
/// <param name="IsNetFramework">Whether the folder is a .NET Framework program, which accepts only the requested version.</param>
public sealed record CheckedReference(AssemblyFile From, AssemblyReferenceEntry Entry, ReferenceStatus Status, bool IsNetFramework)
{
    /// <summary>The file beside the assembly; null when found elsewhere or not at all.</summary>
    public AssemblyFile? Target { get; init; }

    /// <summary>Version of the assembly found; null when none was.</summary>
    public Version? FoundVersion { get; init; }

    /// <summary>Version requested by a binding redirect; null without one.</summary>
    public Version? RedirectedTo { get; init; }

    /// <summary>
    /// Whether the framework that contains it has the program's target version; versions of older or newer frameworks mean nothing.
    /// </summary>
    public bool IsFrameworkExact { get; init; } = true;

    /// <summary>The version finally requested.</summary>
    public Version Wanted => RedirectedTo ?? Entry.Identity.Version;

    /// <summary>The reference as a short text for findings.</summary>
    public string Title => $"{From.Name} to {Entry.Identity}";
}

/// <summary>Location of a referenced assembly.</summary>
public enum ReferenceStatus
{
    /// <summary>Beside the assembly, or in a folder above it.</summary>
    Found,

    /// <summary>In a framework installed on this machine.</summary>
    Framework,

    /// <summary>
    /// It has the key of a framework that is not installed here (.NET Framework, Windows Desktop), so it was not searched.
    /// </summary>
    OtherFramework,

    /// <summary>Nowhere.</summary>
    Missing,
}
