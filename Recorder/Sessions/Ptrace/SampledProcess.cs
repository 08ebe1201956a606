using System.Globalization;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>A process that is traced: its threads and where its code lies.</summary>
/// <param name="id">Its id.</param>
/// <param name="parent">Its parent's id.</param>
internal sealed unsafe class SampledProcess(int id, int parent) : IDisposable
{
    private const int EntryBytes = 16 << 10;

    private readonly int _folder = PtraceNative.Open($"/proc/{id}/task", PtraceNative.ReadOnly);
    private readonly HashSet<string> _mappings = [];

    /// <summary>Executable addresses, by start.</summary>
    private (ulong Start, ulong End)[] _code = [];

    public int Id => id;

    public int Parent => parent;

    public List<SampledThread> Threads { get; } = [];

    /// <summary>When its threads were listed last.</summary>
    public long ListedAt { get; set; }

    /// <summary>When its mappings were read last, and how long to wait until they are read again.</summary>
    public long MappedAt { get; private set; }

    public long MappingPause { get; private set; }

    /// <summary>Whether code was met outside of all known mappings.</summary>
    public bool HasUnknownCode { get; set; }

    /// <summary>Whether samples are taken: not of the shell that waits to become the program.</summary>
    public bool IsSampled { get; set; }

    /// <summary>The createdump process that needs to trace this one, 0 for none: then nobody else may.</summary>
    public int DumpedBy { get; set; }

    /// <summary>Lists the ids of its threads; false when it has ended.</summary>
    /// <param name="threads">Gets the ids.</param>
    public bool TryListThreads(List<int> threads)
    {
        threads.Clear();
        var buffer = stackalloc byte[EntryBytes];
        _ = PtraceNative.Seek(_folder, 0, 0);
        int length;
        while ((length = PtraceNative.ReadFolder(_folder, buffer, EntryBytes)) > 0)
        {
            // struct linux_dirent64: u64 inode, s64 offset, u16 length of the entry, u8 type, name.
            for (var entry = buffer; entry < buffer + length; entry += *(ushort*)(entry + 16))
            {
                var number = 0;
                for (var digit = entry + 19; *digit is >= (byte)'0' and <= (byte)'9'; digit++)
                    number = number * 10 + *digit - '0';
                if (number > 0)
                    threads.Add(number);
            }
        }

        return length == 0 && threads.Count > 0;
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
        _ = PtraceNative.Close(_folder);
    }
}
