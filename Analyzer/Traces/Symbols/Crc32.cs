namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>The checksum of IEEE 802.3 (reflected, polynomial 0x04C11DB7), by which <c>.gnu_debuglink</c> identifies a file.</summary>
internal static class Crc32
{
    private const uint Polynomial = 0xEDB8_8320;
    private const int BlockBytes = 1 << 20;

    private static readonly uint[] s_table = [.. Enumerable.Range(0, 256).Select(OfByte)];

    /// <summary>The checksum of a file.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public static uint OfFile(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);
        var block = new byte[BlockBytes];
        var value = uint.MaxValue;
        while (file.Read(block) is > 0 and var read)
        {
            foreach (var next in block.AsSpan(0, read))
                value = s_table[(byte)(value ^ next)] ^ value >> 8;
        }

        return ~value;
    }

    private static uint OfByte(int value)
    {
        var remainder = (uint)value;
        for (var bit = 0; bit < 8; bit++)
            remainder = (remainder & 1) != 0 ? remainder >> 1 ^ Polynomial : remainder >> 1;
        return remainder;
    }
}
