using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// The kernel's functions by address, from /proc/kallsyms: lines of address (hexadecimal), type, name and, for modules, <c>[module]</c>.
/// A recording keeps those that were found, because the addresses are of one boot only: lines of start, end, name and module.
/// </summary>
internal sealed class KernelSymbols
{
    private readonly SymbolTable _symbols;

    /// <summary>Indexes of the symbols that were found.</summary>
    private readonly SortedSet<int> _found = [];

    private KernelSymbols(SymbolTable symbols, ulong textStart)
    {
        _symbols = symbols;
        TextStart = textStart;
    }

    /// <summary>
    /// Start of the kernel's code: <c>_text</c>, else <c>_stext</c> (arm64 lists only this one). 0 when neither is listed, as for a user
    /// who may not see addresses.
    /// </summary>
    public ulong TextStart { get; }

    /// <summary>Reads the text of the file.</summary>
    public static KernelSymbols Parse(byte[] text)
    {
        var symbols = new List<(ulong, ulong, int, int)>(200_000);
        var (textStart, codeStart) = (0UL, 0UL);
        for (var at = 0; at < text.Length;)
        {
            var end = text.AsSpan(at).IndexOf((byte)'\n');
            var line = text.AsSpan(at, end < 0 ? text.Length - at : end);
            if (
                Utf8Parser.TryParse(line, out ulong address, out var digits, 'x')
                && address != 0
                && line.Length > digits + 3
                && (line[digits + 1] | 0x20) is (byte)'t' or (byte)'w'
            )
            {
                var name = line[(digits + 3)..];
                if (name.SequenceEqual("_text"u8))
                    textStart = address;
                else if (name.SequenceEqual("_stext"u8))
                    codeStart = address;
                symbols.Add((address, 0, at + digits + 3, name.Length));
            }

            at += line.Length + 1;
        }

        return new KernelSymbols(new SymbolTable(symbols, text), textStart != 0 ? textStart : codeStart);
    }

    /// <summary>Reads what <see cref="Found"/> wrote.</summary>
    /// <exception cref="InvalidDataException">A line is damaged.</exception>
    public static KernelSymbols ParseKept(byte[] text)
    {
        var symbols = new List<(ulong, ulong, int, int)>();
        for (var at = 0; at < text.Length;)
        {
            var end = text.AsSpan(at).IndexOf((byte)'\n');
            var line = text.AsSpan(at, end < 0 ? text.Length - at : end);
            if (
                !Utf8Parser.TryParse(line, out ulong first, out var digits, 'x')
                || !Utf8Parser.TryParse(line[Math.Min(digits + 1, line.Length)..], out ulong last, out var more, 'x')
                || last <= first
                || digits + more + 2 >= line.Length
                || line[digits] != ' '
                || line[digits + 1 + more] != ' '
            )
                throw new InvalidDataException(
                    string.Create(CultureInfo.InvariantCulture, $"at offset {at}: expected the start and end of a function and its name")
                );
            symbols.Add((first, last, at + digits + more + 2, line.Length - (digits + more + 2)));
            at += line.Length + 1;
        }

        return new KernelSymbols(new SymbolTable(symbols, text), 0);
    }

    /// <summary>The lines of the functions that were found so far; empty for none.</summary>
    public string Found()
    {
        var lines = new StringBuilder();
        foreach (var (start, end, name) in _found.Select(index => _symbols[index]))
            lines.Append(CultureInfo.InvariantCulture, $"{start:x} {end:x} {name}\n");
        return lines.ToString();
    }

    /// <summary>The function at an address and its module: <c>[kernel]</c>, or that of a loaded module.</summary>
    public bool TryFind(ulong address, out string name, out string module)
    {
        module = SymbolFiles.KernelModule;
        name = "";
        var index = _symbols.IndexOf(address);
        if (index < 0)
            return false;
        _found.Add(index);
        name = _symbols[index].Name;
        var tab = name.IndexOf('\t', StringComparison.Ordinal);
        if (tab >= 0)
            (name, module) = (name[..tab], name[(tab + 1)..]);
        return true;
    }
}
