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

    /// <summary>Parses the text of a map; ignores lines of another form. Among entries with the same start, the last one counts.</summary>
    public static PerfMap Parse(string text)
    {
        var names = new MemoryStream();
        var entries = new Dictionary<ulong, (ulong Start, ulong End, int Offset, int Length)>();
        foreach (var line in text.AsSpan().EnumerateLines())
        {
            var first = line.IndexOf(' ');
            if (first <= 0)
                continue;
            var rest = line[(first + 1)..];
            var second = rest.IndexOf(' ');
            if (
                second <= 0
                || !TryHex(line[..first], out var start)
                || !TryHex(rest[..second], out var size)
                || size == 0
                || start + size < start
            )
                continue;
            var name = Encoding.UTF8.GetBytes(rest[(second + 1)..].Trim().ToString());
            if (name.Length == 0)
                continue;
            entries[start] = (start, start + size, (int)names.Length, name.Length);
            names.Write(name);
        }

        return new PerfMap(new SymbolTable([.. entries.Values], names.ToArray()));
    }

    /// <summary>The entry at an address.</summary>
    public bool TryFind(ulong address, out string name) => _symbols.TryFind(address, out name);

    private static bool TryHex(ReadOnlySpan<char> text, out ulong value) =>
        ulong.TryParse(
            text.StartsWith("0x", StringComparison.OrdinalIgnoreCase) ? text[2..] : text,
            NumberStyles.AllowHexSpecifier,
            CultureInfo.InvariantCulture,
            out value
        );
}
