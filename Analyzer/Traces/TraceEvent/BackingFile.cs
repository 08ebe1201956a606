using System.Buffers.Binary;
using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>The temporary file that BPerfEventSource reads: block headers without blocks, only the first of which is filled in.</summary>
internal sealed class BackingFile : IDisposable
{
    /// <summary>More blocks than a trace can have: at half a megabyte each, a terabyte.</summary>
    public const int AllBlocks = 2 * 1024 * 1024;

    private const int HeaderBytes = 8;

    private readonly SafeFileHandle _handle;

    /// <summary>The name it was created under.</summary>
    private readonly string _name;

    private BackingFile(string name)
    {
        _name = name;
        _handle = File.OpenHandle(name, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        if (OperatingSystem.IsLinux())
        {
            // The source opens its file by name for each pass. /proc names an open file even after it was deleted, so no file remains when
            // this process is killed.
            File.Delete(name);
            Path = string.Create(CultureInfo.InvariantCulture, $"/proc/self/fd/{_handle.DangerousGetHandle()}");
        }
        else
        {
            Path = name;
            AppDomain.CurrentDomain.ProcessExit += (_, _) => Dispose();
        }
    }

    /// <summary>Path under which it can be opened until it is disposed of.</summary>
    public string Path { get; }

    /// <summary>Creates it in the folder for temporary files.</summary>
    public static BackingFile Create() => new(System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"esp-etl-{Guid.NewGuid():N}.tmp"));

    /// <summary>Writes the size of the first block and the number of blocks; the headers of the others are zeros.</summary>
    public void SetFirstBlock(int bytes, int blocks)
    {
        Span<byte> header = stackalloc byte[HeaderBytes];
        header.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(header[sizeof(int)..], bytes);
        RandomAccess.Write(_handle, header, 0);
        RandomAccess.SetLength(_handle, HeaderBytes * (blocks + 1L)); // a reader stops before the last 8 bytes
    }

    /// <summary>Deletes it; if it is still open (Windows), the end of the process deletes it.</summary>
    public void Dispose()
    {
        _handle.Dispose();
        try
        {
            File.Delete(_name);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Still open: the end of the process deletes it.
        }
    }
}
