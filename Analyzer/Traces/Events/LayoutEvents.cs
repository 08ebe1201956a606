namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A file was mapped as code into the process.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Start">First address.</param>
/// <param name="Length">Bytes.</param>
/// <param name="FileOffset">Offset of the first byte in the file.</param>
/// <param name="Path">Path; <c>//anon</c> and names in brackets are not files.</param>
/// <param name="BuildId">Build id of the file (GNU note) in hexadecimal; empty when unknown.</param>
public readonly record struct FileMapping(EventAt At, ulong Start, ulong Length, ulong FileOffset, string Path, string BuildId)
    : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;

    /// <summary>PDB file of a Windows image; null when the trace lacks it.</summary>
    public PdbReference? Pdb { get; init; }

    /// <summary>Whether the trace itself names the file's code, as an exported recording does (<c>esp-analyze export</c>).</summary>
    public bool IsExported { get; init; }
}

/// <summary>A file is no longer mapped.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Start">Address at which it was mapped.</param>
public readonly record struct FileUnmapped(EventAt At, ulong Start) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;
}

/// <summary>Location and identity of the kernel's own code.</summary>
/// <param name="Start">Address of <c>_text</c>; with address randomization, it changes at each boot.</param>
/// <param name="Length">Bytes up to <c>_etext</c>.</param>
/// <param name="HostName">Name of the machine; empty when unknown.</param>
/// <param name="Release">Release of the kernel; empty when unknown.</param>
public readonly record struct KernelMapping(ulong Start, ulong Length, string HostName, string Release) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;

    /// <summary>Whether the trace itself names the kernel's code, as an exported recording does (<c>esp-analyze export</c>).</summary>
    public bool IsExported { get; init; }
}

/// <summary>The process runs another program (exec), which removes all previous mappings.</summary>
/// <param name="At">Time, process and thread.</param>
public readonly record struct ProgramReplaced(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;
}

/// <summary>A thread was created; it has its parent's name until it gets its own.</summary>
/// <param name="At">Time, and the new thread.</param>
/// <param name="ParentThreadId">The thread that created it.</param>
public readonly record struct ThreadCreated(EventAt At, long ParentThreadId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;
}

/// <summary>Sets a thread's name.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Name">Its name.</param>
public readonly record struct ThreadNamed(EventAt At, string Name) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;
}

/// <summary>The PDB file linked with an image, from the image's debug directory (type RSDS).</summary>
/// <param name="FileName">Name of the file, possibly with its build folder.</param>
/// <param name="Guid">Unique id of the file.</param>
/// <param name="Age">Number of times that the linker wrote it.</param>
public sealed record PdbReference(string FileName, Guid Guid, int Age);
