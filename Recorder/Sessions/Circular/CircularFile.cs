using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>
/// The pages of a <see cref="CircularMemory"/> on disk. Its space is taken at the start, so a disk that fills up later cannot end the
/// recording, and twice as much as the pages need: the other half is where they are written at the end.
/// </summary>
internal sealed class CircularFile : IDisposable
{
    private readonly SafeFileHandle _handle;
    private readonly long _pagesBytes;

    private CircularFile(SafeFileHandle handle, long pagesBytes) => (_handle, _pagesBytes) = (handle, pagesBytes);

    /// <summary>Takes the space. The file has no name, or vanishes with the process.</summary>
    /// <param name="path">Path; must not exist.</param>
    /// <param name="pagesBytes">Bytes of the pages.</param>
    /// <exception cref="IOException">The disk has no room for twice as much.</exception>
    public static CircularFile Create(string path, long pagesBytes)
    {
        var options = OperatingSystem.IsWindows() ? FileOptions.DeleteOnClose : FileOptions.None;
        var handle = File.OpenHandle(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, options, 2 * pagesBytes);
        if (!OperatingSystem.IsWindows())
            File.Delete(path);
        return new CircularFile(handle, pagesBytes);
    }

    public void Write(ReadOnlySpan<byte> page, long offset) => RandomAccess.Write(_handle, page, offset);

    /// <summary>Reads a page that was written.</summary>
    /// <exception cref="EndOfStreamException">It was not written.</exception>
    public void Read(Span<byte> page, long offset)
    {
        while (!page.IsEmpty)
        {
            var read = RandomAccess.Read(_handle, page, offset);
            if (read == 0)
                throw new EndOfStreamException();
            page = page[read..];
            offset += read;
        }
    }

    /// <summary>Gives the other half of the space back to the disk.</summary>
    public void FreeOtherHalf() => RandomAccess.SetLength(_handle, _pagesBytes);

    /// <inheritdoc />
    public void Dispose() => _handle.Dispose();
}
