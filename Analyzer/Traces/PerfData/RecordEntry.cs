using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>A record in the reader's window.</summary>
[StructLayout(LayoutKind.Auto)]
internal struct RecordEntry(long time, long fileOffset, int at, ushort length, ushort perfEvent)
{
    /// <summary>Its time; 0 for none.</summary>
    public readonly long Time = time;

    /// <summary>Its offset in the file.</summary>
    public readonly long FileOffset = fileOffset;

    /// <summary>Its offset in the window's bytes, which changes when the window moves.</summary>
    public int At = at;

    /// <summary>Its length.</summary>
    public readonly ushort Length = length;

    /// <summary>Index of its event.</summary>
    public readonly ushort Event = perfEvent;
}
