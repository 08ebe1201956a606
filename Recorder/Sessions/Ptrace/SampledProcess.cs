using System.Buffers.Text;
using System.Globalization;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>A traced process with its threads and code addresses.</summary>
/// <param name="id">Its id.</param>
/// <param name="parent">Its parent's id.</param>
internal sealed class SampledProcess(int id, int parent) : IDisposable
{
    /// <summary>Bytes of /proc/TID/status that contain its first lines.</summary>
    private const int StatusBytes = 512;

    private readonly HashSet<string> _mappings = [];

    /// <summary>Executable address ranges, ordered by start.</summary>
    private (ulong Start, ulong End)[] _code = [];

    public int Id => id;

    public int Parent => parent;

    public List<SampledThread> Threads { get; } = [];

    /// <summary>When its mappings were last read, and how long to wait before reading them again.</summary>
    public long MappedAt { get; private set; }

    public long MappingPause { get; private set; }

    /// <summary>Whether code was found outside all known mappings.</summary>
    public bool HasUnknownCode { get; set; }

    /// <summary>Whether samples are taken; false for the shell that waits to become the program.</summary>
    public bool IsSampled { get; set; }

    /// <summary>Process id of the createdump that must trace this process, during which no other tracer may; 0 for none.</summary>
    public int DumpedBy { get; set; }

    /// <summary>Process and parent of a thread.</summary>
    public static unsafe (int Process, int Parent) IdsOf(int thread)
    {
        var text = stackalloc byte[StatusBytes];
        var file = PtraceNative.Open($"/proc/{thread}/status", PtraceNative.ReadOnly);
        var status = new ReadOnlySpan<byte>(text, (int)Math.Max(0, PtraceNative.ReadAt(file, text, StatusBytes, 0)));
        _ = PtraceNative.Close(file);
        return (Field(status, "\nTgid:\t"u8) is > 0 and var process ? process : thread, Field(status, "\nPPid:\t"u8));

        static int Field(ReadOnlySpan<byte> status, ReadOnlySpan<byte> name) =>
            status.IndexOf(name) is >= 0 and var at && Utf8Parser.TryParse(status[(at + name.Length)..], out int value, out _) ? value : 0;
    }

    /// <summary>Whether an address is in known code.</summary>
    public bool IsKnownCode(ulong address)
    {
        int low = 0,
            high = _code.Length;
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (_code[middle].End <= address)
                low = middle + 1;
            else
                high = middle;
        }

        return low < _code.Length && address >= _code[low].Start;
    }

    /// <summary>Reads the mappings.</summary>
    /// <param name="now">The time.</param>
    /// <param name="shortestPause">
    /// Pause after a reading with new mappings. It doubles after a reading without: return addresses without frame pointers may not be code
    /// at all.
    /// </param>
    /// <param name="maxPause">Maximum pause.</param>
    /// <returns>Lines of new executable mappings.</returns>
    public IReadOnlyList<string> ReadMappings(long now, long shortestPause, long maxPause)
    {
        var added = new List<string>();
        var code = new List<(ulong, ulong)>();
        try
        {
            foreach (var line in File.ReadLines($"/proc/{id}/maps"))
            {
                // start-end perms …
                var space = line.IndexOf(' ', StringComparison.Ordinal);
                if (line[space + 3] != 'x')
                    continue;
                var dash = line.IndexOf('-', StringComparison.Ordinal);
                code.Add((Hex(line.AsSpan(0, dash)), Hex(line.AsSpan(dash + 1, space - dash - 1))));
                if (_mappings.Add(line))
                    added.Add(line);
            }

            _code = [.. code];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The process has ended.
        }

        MappingPause = added.Count > 0 ? shortestPause : Math.Min(Math.Max(MappingPause, shortestPause) * 2, maxPause);
        (MappedAt, HasUnknownCode) = (now, false);
        return added;

        static ulong Hex(ReadOnlySpan<char> digits) => ulong.Parse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
    }

    /// <summary>Clears the mappings after exec has replaced the program.</summary>
    public void ForgetMappings()
    {
        _mappings.Clear();
        _code = [];
        MappingPause = 0;
    }

    public void Dispose()
    {
        foreach (var thread in Threads)
            thread.Dispose();
    }
}
