namespace EtwSerializerProfiler.Dumps;

/// <summary>Sections of a dump's analysis.</summary>
[Flags]
public enum DumpSections
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Exceptions on threads and on the heap.</summary>
    Exceptions = 1,

    /// <summary>Threads with their managed stacks.</summary>
    Threads = 2,

    /// <summary>Objects by type and generation, pinned objects, objects with finalizers.</summary>
    Heap = 4,

    /// <summary>Held locks and their waiting threads.</summary>
    Locks = 8,

    /// <summary>What keeps the largest types alive.</summary>
    Roots = 16,

    /// <summary>Assemblies with their versions.</summary>
    Modules = 32,

    /// <summary>Default sections.</summary>
    Default = Exceptions | Threads | Heap,

    /// <summary>All sections.</summary>
    All = Exceptions | Threads | Heap | Locks | Roots | Modules,
}
