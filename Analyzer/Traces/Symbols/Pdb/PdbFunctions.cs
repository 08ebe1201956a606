using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>
/// The functions of an image by their offset in it, from its PDB file. Names are as the linker knows them; <see cref="TryFind"/> makes them
/// readable.
/// </summary>
internal sealed class PdbFunctions
{
    private readonly SymbolTable _symbols;
    private readonly bool _isX86;

    /// <summary>Code that was moved after linking: (offset in the image, previous offset), both u32; empty when none was moved.</summary>
    private readonly byte[] _moved;

    /// <summary>Creates it from the content of a file.</summary>
    /// <param name="symbols">Functions by the place that the linker gave them.</param>
    /// <param name="moved">OMAP to source, ascending; empty for none.</param>
    /// <param name="isX86">Whether names of C have the decorations of x86.</param>
    public PdbFunctions(SymbolTable symbols, byte[] moved, bool isX86)
    {
        _symbols = symbols;
        _moved = moved;
        _isX86 = isX86;
    }

    /// <summary>Functions known.</summary>
    public int Count => _symbols.Count;

    /// <summary>The function at an offset in the loaded image.</summary>
    public bool TryFind(ulong offset, out string name)
    {
        if (!TrySource(offset, out var source) || !_symbols.TryFind(source, out name))
        {
            name = "";
            return false;
        }

        name = MsvcNames.Undecorate(name, _isX86);
        return true;
    }

    /// <summary>The linker's place for code at an offset; none if the code was added after linking.</summary>
    private bool TrySource(ulong offset, out ulong source)
    {
        source = offset;
        if (_moved.Length == 0)
            return true;
        var low = 0;
        var high = _moved.Length / 8;
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (Moved(8 * middle) <= offset)
                low = middle + 1;
            else
                high = middle;
        }

        if (low == 0)
            return false;
        var from = Moved(8 * (low - 1));
        var before = Moved((8 * (low - 1)) + 4);
        source = before + (offset - from);
        return before != 0;
    }

    private uint Moved(int at) => BinaryPrimitives.ReadUInt32LittleEndian(_moved.AsSpan(at));
}
