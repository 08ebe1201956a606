namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A file was mapped as code into the process.</summary>
/// <param name="At">When and where.</param>
/// <param name="Start">First address.</param>
/// <param name="Length">Bytes.</param>
/// <param name="FileOffset">Offset of the first byte in the file.</param>
/// <param name="Path">Path; <c>//anon</c> and names in brackets are not files.</param>
/// <param name="BuildId">Build id of the file (GNU note) in hexadecimal, empty when unknown.</param>
public readonly record struct FileMapping(EventAt At, ulong Start, ulong Length, ulong FileOffset, string Path, string BuildId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;

    /// <summary>PDB file of an image of Windows; null when the trace does not say.</summary>
    public PdbReference? Pdb { get; init; }

    /// <summary>Whether the trace itself names the file's code: it was made of a recording (<c>esp-analyze export</c>).</summary>
    public bool IsExported { get; init; }
}

/// <summary>A file is no longer mapped.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="Start">Address at which it was mapped.</param>
public readonly record struct FileUnmapped(EventAt At, ulong Start) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;
}

/// <summary>Where the kernel's own code lies, and which kernel it is.</summary>
/// <param name="Start">Address of <c>_text</c>; with address randomization another one after each boot.</param>
/// <param name="Length">Bytes up to <c>_etext</c>.</param>
/// <param name="HostName">Name of the machine, empty when unknown.</param>
/// <param name="Release">Release of the kernel, empty when unknown.</param>
public readonly record struct KernelMapping(ulong Start, ulong Length, string HostName, string Release) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;

    /// <summary>Whether the trace itself names the kernel's code: it was made of a recording (<c>esp-analyze export</c>).</summary>
    public bool IsExported { get; init; }
}

/// <summary>The process began to run another program (exec): what was mapped before is gone.</summary>
/// <param name="At">When and on which thread.</param>
public readonly record struct ProgramReplaced(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;
}

/// <summary>A thread was created; it has the name of its parent until it gets its own.</summary>
/// <param name="At">When, and the new thread.</param>
/// <param name="ParentThreadId">The thread that created it.</param>
public readonly record struct ThreadCreated(EventAt At, long ParentThreadId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;
}

/// <summary>A thread got a name.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="Name">Its name.</param>
public readonly record struct ThreadNamed(EventAt At, string Name) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ProcessLayout;
}

/// <summary>The PDB file that an image was linked with, as the image says (its debug directory, type RSDS).</summary>
/// <param name="FileName">Name of the file, maybe with the folder it was written to.</param>
/// <param name="Guid">What tells it from all others.</param>
/// <param name="Age">How often the linker has written it.</param>
public sealed record PdbReference(string FileName, Guid Guid, int Age);
