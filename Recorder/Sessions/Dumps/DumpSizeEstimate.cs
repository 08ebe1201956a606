using System.Globalization;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>Estimates the size of a dump.</summary>
/// <remarks>
/// On Linux createdump writes whole mappings: the writable ones for a heap dump, the readable ones for a full dump. The measured dumps were
/// at most 3 MB larger (docs/dumps.md).
/// </remarks>
internal static class DumpSizeEstimate
{
    /// <summary>Bytes of a dump in addition to the memory.</summary>
    private const long FixedBytes = 16_000_000;

    /// <summary>Bytes for each thread's stack in a mini dump.</summary>
    private const long ThreadBytes = 256_000;

    /// <summary>Estimates the bytes of a dump, rounded up.</summary>
    /// <exception cref="IOException">The process has ended.</exception>
    public static long ExpectedBytes(int processId, DumpKind kind)
    {
        try
        {
            if (kind == DumpKind.Mini || !OperatingSystem.IsLinux())
                return OfProcess(processId, kind);
            long bytes = 0;
            foreach (var line in File.ReadLines(string.Create(CultureInfo.InvariantCulture, $"/proc/{processId}/maps")))
                bytes += OfMapping(line, kind);
            return FixedBytes + bytes + (bytes / 20);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw new IOException($"the process has ended or access to it is denied: {exception.Message}", exception);
        }
    }

    /// <summary>Bytes that a line of /proc/PID/maps, such as <c>7f12-7f34 rw-p …</c>, adds to a dump.</summary>
    internal static long OfMapping(ReadOnlySpan<char> line, DumpKind kind)
    {
        var dash = line.IndexOf('-');
        var blank = line.IndexOf(' ');
        if (dash < 0 || blank < dash || line.Length < blank + 3 || line[blank + (kind == DumpKind.Heap ? 2 : 1)] == '-')
            return 0;
        return
            ulong.TryParse(line[..dash], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var from)
            && ulong.TryParse(line[(dash + 1)..blank], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var to)
            && to > from
            ? (long)(to - from)
            : 0;
    }

    private static long OfProcess(int processId, DumpKind kind) =>
        FixedBytes
        + (
            OtherProcess.Read<long?>(
                processId,
                process =>
                    kind switch
                    {
                        DumpKind.Mini => process.Threads.Count * ThreadBytes,
                        DumpKind.Heap => process.PrivateMemorySize64,
                        _ => process.PrivateMemorySize64 + process.WorkingSet64,
                    },
                null
            ) ?? throw new IOException("the process has ended or access to it is denied")
        );
}
