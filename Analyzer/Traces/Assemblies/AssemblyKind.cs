namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>What a file is.</summary>
public enum AssemblyKind
{
    /// <summary>An assembly of .NET.</summary>
    Managed,

    /// <summary>A managed module without a manifest, a part of an assembly of several files.</summary>
    Module,

    /// <summary>A native library or program.</summary>
    Native,

    /// <summary>A file that is damaged, or is no library or program at all.</summary>
    Unreadable,
}
