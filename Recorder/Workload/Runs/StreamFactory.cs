using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Opens the stream for serialized data.</summary>
public static class StreamFactory
{
    /// <summary>The default of FileStream.</summary>
    private const int BufferSize = 4096;

    /// <summary>Opens an empty stream. A file disappears when the stream is closed or the process ends in any way.</summary>
    /// <exception cref="IOException">No temporary file can be created.</exception>
    public static Stream Open(StreamKind kind) =>
        kind switch
        {
            StreamKind.Memory => new MemoryStream(capacity: 0),
            StreamKind.File => OpenFile(),
            _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "Not a kind of stream."),
        };

    private static FileStream OpenFile()
    {
        var path = Path.Combine(Path.GetTempPath(), $"esp-workload-{Path.GetRandomFileName()}");
        var file = new FileStream(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.Delete, BufferSize, FileOptions.DeleteOnClose);

        // Windows deletes the file when the process dies. Elsewhere .NET deletes it only in Dispose, but an open file needs no name.
        if (!OperatingSystem.IsWindows())
            File.Delete(path);
        return file;
    }
}
