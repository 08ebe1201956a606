namespace EtwSerializerProfiler.Traces.Events;

/// <summary>Where the kernel's own code lies, and which kernel it is.</summary>
/// <param name="Start">Address of <c>_text</c>; with address randomization another one after each boot.</param>
/// <param name="Length">Bytes up to <c>_etext</c>.</param>
/// <param name="HostName">Name of the machine, empty when unknown.</param>
/// <param name="Release">Release of the kernel, empty when unknown.</param>
public readonly record struct KernelMapping(ulong Start, ulong Length, string HostName, string Release)
{
    /// <summary>Whether the trace itself names the kernel's code: it was made of a recording (<c>esp-analyze export</c>).</summary>
    public bool IsExported { get; init; }
}
