using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Opens the stream that serialized data is written to and read from.</summary>
public static class StreamFactory
{
    /// <summary>What FileStream takes by itself.</summary>
    private const int BufferSize = 4096;

    /// <summary>Opens an empty stream; a file vanishes when the stream is closed or the process ends, however it ends.</summary>
    /// <exception cref="IOException">No temporary file can be created.</exception>
    public static Stream Open(StreamKind kind) => kind switch
    {
        StreamKind.Memory => new MemoryStream(capacity: 0),
        StreamKind.File => OpenFile(),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "Not a kind of stream."),
    };

    private static FileStream OpenFile()
    {
        var path = Path.Combine(Path.GetTempPath(), $"esp-workload-{Path.GetRandomFileName()}");
        var file = new FileStream(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.Delete, BufferSize, FileOptions.DeleteOnClose);

        // Windows deletes the file when the process dies; elsewhere .NET does it on Dispose only, but an open file can do without a name.
        if (!OperatingSystem.IsWindows())
            File.Delete(path);
        return file;
    }
}
