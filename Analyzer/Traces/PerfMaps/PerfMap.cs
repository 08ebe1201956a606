using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// A perf map, /tmp/perf-PID.map, from Mono and other runtimes: lines of start and size (hexadecimal, with 0x in Mono) and name.
/// </summary>
public sealed class PerfMap
{
    private readonly SymbolTable _symbols;

    private PerfMap(SymbolTable symbols) => _symbols = symbols;

    /// <summary>Name of a process's map, in /tmp and in a recording.</summary>
    public static string FileNameOf(int processId) => string.Create(CultureInfo.InvariantCulture, $"perf-{processId}.map");

    /// <summary>Number of entries.</summary>
    public int Count => _symbols.Count;

    /// <summary>Range and name of an entry, by start.</summary>
    internal (ulong Start, ulong End, string Name) this[int index] => _symbols[index];

    /// <summary>Reads a map; ignores lines of another form. Among entries with the same start, the last one counts.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static PerfMap Read(string path) => Parse(File.ReadAllBytes(path));

    private static PerfMap Parse(byte[] text)
    {
        var entries = new List<(ulong Start, ulong End, int Offset, int Length)>();
        foreach (var range in text.AsSpan().Split((byte)'\n'))
        {
            var line = text.AsSpan(range);
            var first = line.IndexOf((byte)' ');
            if (first <= 0)
                continue;
            var rest = line[(first + 1)..];
            var second = rest.IndexOf((byte)' ');
            if (
                second <= 0
                || !TryHex(line[..first], out var start)
                || !TryHex(rest[..second], out var size)
                || size == 0
                || start + size < start
            )
                continue;
            var name = rest[(second + 1)..];
            var trimmed = Ascii.Trim(name);
            var length = name[trimmed].Length;
            if (length > 0)
                entries.Add((start, start + size, range.Start.Value + first + second + 2 + trimmed.Start.Value, length));
        }

        entries.Reverse();
        return new PerfMap(new SymbolTable([.. entries.DistinctBy(entry => entry.Start)], text));
    }

    /// <summary>The entry at an address.</summary>
    public bool TryFind(ulong address, out string name) => _symbols.TryFind(address, out name);

    private static bool TryHex(ReadOnlySpan<byte> text, out ulong value) =>
        ulong.TryParse(
            text.StartsWith("0x"u8) || text.StartsWith("0X"u8) ? text[2..] : text,
            NumberStyles.AllowHexSpecifier,
            CultureInfo.InvariantCulture,
            out value
        );
}
