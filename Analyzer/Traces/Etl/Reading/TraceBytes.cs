using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>Bytes of one .etl file, for random access by several threads.</summary>
internal sealed class TraceBytes : IDisposable
{
    /// <summary>The file; null for one in memory.</summary>
    private readonly SafeFileHandle? _handle;

    private readonly ReadOnlyMemory<byte> _content;

    public TraceBytes(SafeFileHandle handle, string name)
    {
        _handle = handle;
        Name = name;
        Length = RandomAccess.GetLength(handle);
    }

    public TraceBytes(ReadOnlyMemory<byte> content, string name)
    {
        _content = content;
        Name = name;
        Length = content.Length;
    }

    /// <summary>Path; <c>archive!member</c> for a file from an archive.</summary>
    public string Name { get; }

    public long Length { get; }

    /// <summary>Opens a file that another program may still be writing.</summary>
    public static TraceBytes Open(string path) =>
        new(File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.RandomAccess), path);

    /// <summary>Fills the span from an offset; returns less than its length only at the end of the file.</summary>
    public int Read(long offset, Span<byte> bytes)
    {
        if (_handle is null)
        {
            var rest = _content.Span[(int)Math.Min(offset, _content.Length)..];
            rest = rest[..Math.Min(rest.Length, bytes.Length)];
            rest.CopyTo(bytes);
            return rest.Length;
        }

        var total = 0;
        while (total < bytes.Length)
        {
            var read = RandomAccess.Read(_handle, bytes[total..], offset + total);
            if (read == 0)
                break;
            total += read;
        }

        return total;
    }

    public void Dispose() => _handle?.Dispose();
}
