namespace EtwSerializerProfiler.Analysis.References;

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
