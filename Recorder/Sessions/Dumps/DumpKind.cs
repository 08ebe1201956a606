namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>Which part of a process's memory a dump contains.</summary>
public enum DumpKind
{
    /// <summary>Stacks, and the data of threads and exceptions.</summary>
    Mini = 0,

    /// <summary>Also all writable memory: the managed heap.</summary>
    Heap = 1,

    /// <summary>All memory, including code.</summary>
    Full = 2,
}
