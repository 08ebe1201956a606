using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>The functions of an image by their offset in it, from its PDB file. Names are as the linker knows them; <see cref="TryFind"/> makes them readable.</summary>
internal sealed class PdbFunctions
{
    private readonly SymbolTable _symbols;
    private readonly bool _isX86;

    /// <summary>Where code was moved behind the linker's back: (offset in the image, offset before), both u32; empty when it was not.</summary>
    private readonly byte[] _moved;

    /// <summary>Takes what was read.</summary>
    /// <param name="symbols">Functions by their place as the linker laid them out.</param>
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

    /// <summary>Where the linker had put what lies at an offset; nowhere, if it came into the image later.</summary>
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
