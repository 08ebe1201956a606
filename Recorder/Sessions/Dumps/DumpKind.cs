namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>How much of a process's memory a dump has.</summary>
public enum DumpKind
{
    /// <summary>Stacks and what belongs to threads and exceptions.</summary>
    Mini = 0,

    /// <summary>In addition all memory that can be written: the managed heap.</summary>
    Heap = 1,

    /// <summary>All memory, code too.</summary>
    Full = 2,
}
