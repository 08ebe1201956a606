using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>The temporary file that BPerfEventSource reads: block headers without blocks, of which only the first is filled in.</summary>
internal sealed class BackingFile
{
    /// <summary>More blocks than a trace has: at half a megabyte each, a terabyte.</summary>
    public const int AllBlocks = 2 * 1024 * 1024;

    private const int HeaderBytes = 8;

    private static readonly Lazy<string> s_folder = new(CreateFolder);

    private BackingFile(string path) => Path = path;

    /// <summary>Its path.</summary>
    public string Path { get; }

    /// <summary>Creates it in a folder of this process, which goes when the process ends in order.</summary>
    public static BackingFile Create() => new(System.IO.Path.Combine(s_folder.Value, System.IO.Path.GetRandomFileName()));

    /// <summary>Says how large the first block is and how many there are; the headers of the others are zeros.</summary>
    public void SetFirstBlock(int bytes, int blocks)
    {
        Span<byte> header = stackalloc byte[HeaderBytes];
        header.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(header[sizeof(int)..], bytes);
        using var file = new FileStream(Path, FileMode.OpenOrCreate, FileAccess.Write, FileShare.ReadWrite);
        file.Write(header);
        file.SetLength(HeaderBytes * (blocks + 1L)); // a reader stops before the last 8 bytes
    }

    /// <summary>Deletes it; where it is still open (Windows) that is left to the end of the process.</summary>
    public void Delete()
    {
        try
        {
            File.Delete(Path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Still open: it goes with its folder.
        }
    }

    private static string CreateFolder()
    {
        var folder = Directory.CreateTempSubdirectory("esp-etl-").FullName;
        AppDomain.CurrentDomain.ProcessExit += (_, _) =>
        {
            try
            {
                Directory.Delete(folder, recursive: true);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // A file of zeros stays behind in the folder for temporary files.
            }
        };
        return folder;
    }
}
