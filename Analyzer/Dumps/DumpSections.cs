namespace EtwSerializerProfiler.Dumps;

/// <summary>What of a dump is looked at.</summary>
[Flags]
public enum DumpSections
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Exceptions on threads and on the heap.</summary>
    Exceptions = 1,

    /// <summary>Threads with their managed stacks.</summary>
    Threads = 2,

    /// <summary>Objects by type and generation, pinned ones, those with finalizers.</summary>
    Heap = 4,

    /// <summary>Held locks and who waits for them.</summary>
    Locks = 8,

    /// <summary>What keeps the biggest types alive.</summary>
    Roots = 16,

    /// <summary>Assemblies with their versions.</summary>
    Modules = 32,

    /// <summary>What is shown when nothing is asked for.</summary>
    Default = Exceptions | Threads | Heap,

    /// <summary>All.</summary>
    All = Exceptions | Threads | Heap | Locks | Roots | Modules,
}
