using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Reads perf.data files of this tool and of <c>perf record</c> record by record, in one pass, without allocation per record, and with
/// memory independent of the file's size. The format: <see cref="PerfDataFormat"/>.
/// </summary>
/// <remarks>
/// Records of different CPUs are in blocks. The recorder writes a mark (FINISHED_ROUND) whenever it has read all rings once: everything up
/// to the latest time of the previous round is then complete and can be delivered in time order. A file without such marks is sorted within
/// <see cref="PerfReadOptions.WindowBytes"/>.
/// </remarks>
public sealed class PerfDataReader : IDisposable
{
    private readonly SafeFileHandle _file;
    private readonly PerfDataHeader _header;
    private readonly RecordWindow _window;

    private PerfDataReader(SafeFileHandle file, string path, PerfReadOptions options)
    {
        _file = file;
        Path = path;
        _header = PerfDataHeader.Read(file, path);
        _window = new RecordWindow(file, path, _header, options);
    }

    /// <summary>Path of the file.</summary>
    public string Path { get; }

    /// <summary>Events of the recording, to which records refer.</summary>
    public IReadOnlyList<PerfEvent> Events => _header.Events;

    /// <summary>The file's data on the machine and the recording.</summary>
    public PerfDataFeatures Features => _header.Features;

    /// <summary>Problems of the header, one sentence each; the records are still readable.</summary>
    public IReadOnlyList<string> Warnings => _header.Warnings;

    /// <summary>Position and reason of an early end; null while reading continues, and at the end of the data.</summary>
    public PerfDataDamage? Damage => _window.Damage;

    /// <summary>
    /// Number of records delivered so far after one with a later time, because the window is too small for the file. 0 in file order.
    /// </summary>
    public long LateRecords => _window.LateRecords;

    /// <summary>Number of samples skipped so far because no event has their id.</summary>
    public long UnknownSamples => _window.UnknownSamples;

    /// <summary>Whether a file starts like a perf.data file, even an unreadable one.</summary>
    /// <exception cref="IOException">The file cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied, or the path is a folder.</exception>
    public static bool IsPerfData(string path)
    {
        using var file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        Span<byte> magic = stackalloc byte[8];
        return RandomAccess.Read(file, magic, 0) == magic.Length
            && (
                magic.SequenceEqual(PerfDataFormat.Magic)
                || magic.SequenceEqual(PerfDataFormat.SwappedMagic)
                || magic.SequenceEqual(PerfDataFormat.OldMagic)
            );
    }

    /// <summary>Opens a file.</summary>
    /// <exception cref="TraceFormatException">It is not a perf.data file, or was written to a pipe or on a big-endian machine.</exception>
    /// <exception cref="IOException">The file cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied, or the path is a folder (perf record --threads).</exception>
    public static PerfDataReader Open(string path, PerfReadOptions? options = null)
    {
        var file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        try
        {
            return new PerfDataReader(file, path, options ?? new PerfReadOptions());
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Reads the next record; it is valid until the next call.</summary>
    /// <returns>False at the end of the data, or of its readable part: see <see cref="Damage"/>.</returns>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public bool TryRead(out PerfRecord record) => _window.TryRead(out record);

    /// <summary>Closes the file.</summary>
    public void Dispose()
    {
        _window.Dispose();
        _file.Dispose();
    }
}

/// <summary>Options for reading a perf.data file.</summary>
public sealed record PerfReadOptions
{
    /// <summary>Order of the records.</summary>
    public PerfRecordOrder Order { get; init; } = PerfRecordOrder.Time;

    /// <summary>
    /// Maximum bytes retained to sort records, at least 1 MiB. Two rounds of the recorder must fit, else records may come late, which are
    /// counted. The reader needs about three times as much memory at worst.
    /// </summary>
    public int WindowBytes { get; init; } = 64 << 20;
}

/// <summary>Order in which records are read.</summary>
public enum PerfRecordOrder
{
    /// <summary>By time; equal times as in the file. Records without a time come first in their round.</summary>
    Time,

    /// <summary>As in the file: blocks of one CPU after the other.</summary>
    File,
}
