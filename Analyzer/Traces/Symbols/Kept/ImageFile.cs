using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.Symbols.Kept;

/// <summary>
/// The bytes of a library or an assembly, from its file or from the parts that a recording keeps. Remembers which bytes were read: if the
/// recording keeps them, another machine without the file reads the same.
/// </summary>
internal sealed class ImageFile
{
    private readonly SafeFileHandle? _file;
    private readonly ImageParts? _parts;

    /// <summary>Ranges that were read, in the order of reading; a read right after the last one extends it.</summary>
    private readonly List<(long Start, long End)> _read = [];

    private ImageFile(string path, SafeFileHandle? file, ImageParts? parts)
    {
        Path = path;
        (_file, _parts) = (file, parts);
        Length = parts?.FileLength ?? RandomAccess.GetLength(file!);
    }

    /// <summary>Where the image was when it was recorded.</summary>
    public string Path { get; }

    /// <summary>Bytes of the whole file.</summary>
    public long Length { get; }

    /// <summary>Whether its bytes come from a recording, which has only some of them.</summary>
    public bool IsKept => _parts is not null;

    /// <summary>Opens a file without locking it, so that the program can be rebuilt meanwhile.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public static ImageFile Open(string path) => new(path, File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete), null);

    /// <summary>Opens what a recording keeps of a file.</summary>
    /// <param name="copy">File in the recording.</param>
    /// <param name="path">Where the image was.</param>
    /// <exception cref="IOException">The copy is unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    /// <exception cref="InvalidDataException">The copy is damaged.</exception>
    public static ImageFile OpenKept(string copy, string path) => new(path, null, ImageParts.Read(copy));

    /// <summary>Reads bytes.</summary>
    /// <returns>Number of bytes read: fewer than requested at the end of the file, and 0 where the recording does not keep them.</returns>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public int Read(Span<byte> bytes, long offset)
    {
        if (_parts is not null)
            return _parts.Read(bytes, offset);
        var read = RandomAccess.Read(_file!, bytes, offset);
        if (_read.Count > 0 && _read[^1].End == offset)
            _read[^1] = (_read[^1].Start, offset + read);
        else if (read > 0)
            _read.Add((offset, offset + read));
        return read;
    }

    /// <summary>
    /// Reads bytes in a range without remembering them, for a search that afterwards reads what it found. If the image comes from a
    /// recording, returns the parts that the recording keeps.
    /// </summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public IReadOnlyList<(long Offset, ReadOnlyMemory<byte> Bytes)> Peek(long offset, long length)
    {
        length = Math.Min(length, Length - offset);
        if (_parts is not null)
            return [.. _parts.Within(offset, offset + length)];
        var bytes = new byte[Math.Max(0, length)];
        for (var done = 0; done < bytes.Length;)
        {
            if (RandomAccess.Read(_file!, bytes.AsSpan(done), offset + done) is not (> 0 and var read))
                return [];
            done += read;
        }

        return [(offset, bytes)];
    }

    /// <summary>A stream over the bytes, for readers that want one.</summary>
    public Stream OpenStream() => new ImageStream(this);

    /// <summary>Writes the parts read so far into a recording.</summary>
    /// <param name="copy">File in the recording.</param>
    /// <param name="maxBytes">Maximum bytes of all parts together.</param>
    /// <returns>False when the parts are larger; nothing is written then.</returns>
    /// <exception cref="IOException">The copy cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">Writing is not permitted.</exception>
    public bool TryKeep(string copy, long maxBytes)
    {
        var ranges = Joined();
        if (ranges.Sum(range => range.End - range.Start) > maxBytes)
            return false;
        ImageParts.Write(copy, Length, [.. ranges.Select(range => (range.Start, Bytes(range)))]);
        return true;

        byte[] Bytes((long Start, long End) range)
        {
            var bytes = new byte[range.End - range.Start];
            for (var done = 0; done < bytes.Length;)
                done += RandomAccess.Read(_file!, bytes.AsSpan(done), range.Start + done) is > 0 and var read
                    ? read
                    : throw new EndOfStreamException($"{Path} became shorter");
            return bytes;
        }
    }

    private List<(long Start, long End)> Joined()
    {
        var joined = new List<(long Start, long End)>();
        foreach (var range in _read.Order())
        {
            if (joined.Count > 0 && range.Start <= joined[^1].End)
                joined[^1] = (joined[^1].Start, Math.Max(joined[^1].End, range.End));
            else
                joined.Add(range);
        }

        return joined;
    }
}
