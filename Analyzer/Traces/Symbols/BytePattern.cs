namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Machine code with parts that vary: registers, offsets, targets.</summary>
internal sealed class BytePattern
{
    private readonly byte[] _values;

    /// <summary>The bits of each byte that count.</summary>
    private readonly byte[] _masks;

    /// <summary>Distance between places where it can begin: the size of an instruction on arm64, else 1.</summary>
    private readonly int _step;

    /// <summary>The longest run of bytes that do not vary, and where it begins.</summary>
    private readonly byte[] _fixed;
    private readonly int _fixedAt;

    private BytePattern(byte[] values, byte[] masks, int step)
    {
        (_values, _masks, _step) = (values, masks, step);
        var (best, at) = (0, 0);
        for (var i = 0; i < masks.Length; i++)
        {
            var run = masks.AsSpan(i).IndexOfAnyExcept((byte)0xFF) is >= 0 and var end ? end : masks.Length - i;
            if (run > best)
                (best, at) = (run, i);
        }

        (_fixed, _fixedAt) = (values[at..(at + best)], at);
    }

    /// <summary>Number of bytes.</summary>
    public int Length => _values.Length;

    /// <summary>A pattern of bytes in hexadecimal; <c>??</c> is any byte.</summary>
    public static BytePattern OfBytes(string text)
    {
        var bytes = text.Split(' ');
        return new BytePattern(
            Array.ConvertAll(bytes, value => value == "??" ? (byte)0 : Convert.ToByte(value, 16)),
            Array.ConvertAll(bytes, value => value == "??" ? (byte)0 : (byte)0xFF),
            step: 1
        );
    }

    /// <summary>A pattern of instructions of four bytes, with the bits that count.</summary>
    public static BytePattern OfWords(params ReadOnlySpan<(uint Value, uint Mask)> words)
    {
        var (values, masks) = (new byte[4 * words.Length], new byte[4 * words.Length]);
        for (var i = 0; i < words.Length; i++)
        {
            BitConverter.TryWriteBytes(values.AsSpan(4 * i), words[i].Value);
            BitConverter.TryWriteBytes(masks.AsSpan(4 * i), words[i].Mask);
        }

        return new BytePattern(values, masks, step: 4);
    }

    /// <summary>The places where it begins.</summary>
    /// <param name="code">The code; its first byte begins an instruction.</param>
    public List<int> FindIn(ReadOnlySpan<byte> code)
    {
        var found = new List<int>();
        for (var at = 0; at + Length <= code.Length; at += _step)
        {
            if (_fixed.Length > 2)
            {
                var next = code[(at + _fixedAt)..].IndexOf(_fixed);
                if (next < 0)
                    break;
                at = (at + next + _step - 1) / _step * _step;
            }

            if (at + Length <= code.Length && Matches(code.Slice(at, Length)))
                found.Add(at);
        }

        return found;
    }

    private bool Matches(ReadOnlySpan<byte> code)
    {
        for (var i = 0; i < code.Length; i++)
        {
            if ((code[i] & _masks[i]) != _values[i])
                return false;
        }

        return true;
    }
}
