using System.Buffers.Text;
using System.Globalization;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>A process that is traced: its threads and where its code lies.</summary>
/// <param name="id">Its id.</param>
/// <param name="parent">Its parent's id.</param>
internal sealed class SampledProcess(int id, int parent) : IDisposable
{
    /// <summary>Enough of /proc/TID/status for its first lines.</summary>
    private const int StatusBytes = 512;

    private readonly HashSet<string> _mappings = [];

    /// <summary>Executable addresses, by start.</summary>
    private (ulong Start, ulong End)[] _code = [];

    public int Id => id;

    public int Parent => parent;

    public List<SampledThread> Threads { get; } = [];

    /// <summary>When its mappings were read last, and how long to wait until they are read again.</summary>
    public long MappedAt { get; private set; }

    public long MappingPause { get; private set; }

    /// <summary>Whether code was met outside of all known mappings.</summary>
    public bool HasUnknownCode { get; set; }

    /// <summary>Whether samples are taken: not of the shell that waits to become the program.</summary>
    public bool IsSampled { get; set; }

    /// <summary>The createdump process that needs to trace this one, 0 for none: then nobody else may.</summary>
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

    /// <summary>Whether an address lies in code that is known.</summary>
    public bool IsKnownCode(ulong address)
    {
        int low = 0, high = _code.Length;
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
    /// <param name="shortestPause">Pause until they are read again, when something was new. It doubles when nothing was: return addresses without frame pointers may be no code at all.</param>
    /// <param name="longestPause">Longest pause.</param>
    /// <returns>Lines of new executable mappings.</returns>
    public IReadOnlyList<string> ReadMappings(long now, long shortestPause, long longestPause)
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
            // It has ended.
        }

        MappingPause = added.Count > 0 ? shortestPause : Math.Min(Math.Max(MappingPause, shortestPause) * 2, longestPause);
        (MappedAt, HasUnknownCode) = (now, false);
        return added;

        static ulong Hex(ReadOnlySpan<char> digits) => ulong.Parse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
    }

    /// <summary>Forgets the mappings: exec has replaced the program.</summary>
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
