using EtwSerializerProfiler.Etl.Reading;

namespace EtwSerializerProfiler.Etl;

/// <summary>
/// Reads the events of one or more .etl files in time order, without allocation per event, and with memory independent of the files' sizes
/// (except an index of 48 bytes per buffer).
/// </summary>
/// <remarks>
/// <para>Order: by time; at equal times by file, then by the buffer's sequence number, then by position in the file. The records of the
/// header buffers, starting with the log file header, come before all others, file by file, regardless of their times.</para>
/// <para>A damaged buffer is skipped from the damage on and reported in <see cref="Statistics"/>; reading continues after it.</para>
/// <para>Not thread-safe.</para>
/// </remarks>
public sealed class EtlReader : IDisposable
{
    private readonly TraceBytes[] _bytes;
    private readonly DecodeAhead _decoder;
    private readonly TimeMerge _merge;

    /// <summary>Whether disposing the reader closes the files.</summary>
    private readonly bool _ownsFiles;
    private readonly TraceClockMap[] _clocks;

    /// <summary>The buffer of the event that was read last; null before the first and after the last one.</summary>
    private DecodedBuffer? _current;

    private bool _disposed;

    private EtlReader(List<TraceBytes> files, EtlReadOptions options, bool ownsFiles)
    {
        _ownsFiles = ownsFiles;
        _bytes = [.. files];
        Statistics = new EtlStatistics { FileBytes = files.Sum(file => file.Length) };
        var headers = _bytes.Select(FirstBuffer.ReadHeader).ToArray();
        Files = [.. _bytes.Select((file, number) => new EtlFile(file.Name, file.Length, headers[number]))];
        Header = headers.MinBy(header => header.StartFileTime)!;
        _clocks = [.. headers.Select(header => new TraceClockMap(header, Header))];
        var range = new TraceRange(
            options.From is { } from
                ? EtlTime.Add(Header.StartTicks, EtlTime.Scale(from.Ticks, Header.TicksPerSecond, TimeSpan.TicksPerSecond))
                : long.MinValue,
            options.To is { } to
                ? EtlTime.Add(Header.StartTicks, EtlTime.Scale(to.Ticks, Header.TicksPerSecond, TimeSpan.TicksPerSecond))
                : long.MaxValue
        );
        var entries = new List<BufferEntry>();
        for (var number = 0; number < _bytes.Length; number++)
            BufferIndex.Add(_bytes[number], number, headers[number], _clocks[number], range, Statistics, entries);
        if (options.Buffers is { } buffers)
            entries.RemoveAll(entry => !entry.IsHeader && !buffers.Contains(entry.File, entry.Offset));
        Statistics.EventsLost = Sum(headers, header => header.EventsLost);
        Statistics.BuffersLost = Sum(headers, header => header.BuffersLost);
        var progress = options.Progress is null
            ? null
            : new BufferProgress(
                options.Progress,
                string.Join(", ", _bytes.Select(file => file.Name)),
                entries.Sum(entry => (long)entry.Size)
            );
        var threads = options.DecodeThreads ?? Math.Clamp(Environment.ProcessorCount - 1, 0, 4);
        _decoder = new DecodeAhead(
            InOrder(entries),
            _bytes,
            _clocks,
            range,
            options.SessionRecords,
            Math.Max(0, threads),
            Statistics,
            progress
        );
        _merge = new TimeMerge(_decoder, Header.TicksPerSecond / 1000, Statistics);
    }

    /// <summary>Header of the file that began first, whose clock is the trace's.</summary>
    public EtlTraceHeader Header { get; }

    /// <summary>All files.</summary>
    public IReadOnlyList<EtlFile> Files { get; }

    /// <summary>Statistics so far.</summary>
    public EtlStatistics Statistics { get; }

    /// <summary>Opens a trace: an .etl file, or an archive (.zip, .etl.zip, .diagsession) whose .etl files are read as one trace.</summary>
    /// <exception cref="EtlFormatException">The file is not an .etl file, or an archive without one.</exception>
    /// <exception cref="IOException">The file cannot be opened or read.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied, or the path is a folder.</exception>
    public static EtlReader Open(string path, EtlReadOptions? options = null) => Open([path], options);

    /// <summary>Opens several files of one session, or of simultaneous sessions, as one trace.</summary>
    /// <exception cref="EtlFormatException">A file is not an .etl file, or an archive without one.</exception>
    /// <exception cref="IOException">A file cannot be opened or read.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to a file is denied, or a path is a folder.</exception>
    public static EtlReader Open(IReadOnlyList<string> paths, EtlReadOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentOutOfRangeException.ThrowIfZero(paths.Count, nameof(paths));
        options ??= new EtlReadOptions();
        return Open(TraceFiles.Open(paths, options), options);
    }

    /// <summary>Opens files that stay open when the reader is disposed; several readers may share them.</summary>
    /// <exception cref="EtlFormatException">A file is not an .etl file.</exception>
    /// <exception cref="IOException">A file is unreadable.</exception>
    public static EtlReader Open(EtlFiles files, EtlReadOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(files);
        return new EtlReader(files.Files, options ?? new EtlReadOptions(), ownsFiles: false);
    }

    /// <summary>Opens an .etl file in memory.</summary>
    /// <param name="content">Its bytes; do not change them while reading.</param>
    /// <param name="name">Its name in errors and damage reports.</param>
    /// <param name="options">Options for reading.</param>
    /// <exception cref="EtlFormatException">The file is not an .etl file.</exception>
    public static EtlReader Open(ReadOnlyMemory<byte> content, string name, EtlReadOptions? options = null) =>
        Open([new TraceBytes(content, name)], options ?? new EtlReadOptions());

    private static EtlReader Open(List<TraceBytes> files, EtlReadOptions options)
    {
        try
        {
            return new EtlReader(files, options, ownsFiles: true);
        }
        catch
        {
            foreach (var file in files)
                file.Dispose();
            throw;
        }
    }

    /// <summary>Reads the next event; it is valid until the next call.</summary>
    /// <returns>False at the end.</returns>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public bool TryRead(out EtlEvent traceEvent)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        var buffer = _current = _merge.Next(out var record);
        if (buffer is null)
        {
            traceEvent = default;
            return false;
        }

        var bytes = new ReadOnlySpan<byte>(buffer.Data, record.Offset, record.Size);
        var time = record.Time != long.MinValue ? record.Time : HeaderRecordTime(bytes, buffer.File);
        traceEvent = new EtlEvent(bytes, record.PayloadAt, time, buffer.Processor, buffer.File);
        Statistics.Events++;
        Statistics.EventBytes += record.Size;
        return true;
    }

    /// <summary>Adds the buffer of the event that was read last, see <see cref="EtlReadOptions.Buffers"/>.</summary>
    /// <exception cref="InvalidOperationException">No event was read, or the trace has ended.</exception>
    public void AddBufferTo(EtlBuffers buffers)
    {
        ArgumentNullException.ThrowIfNull(buffers);
        var current =
            _current ?? throw new InvalidOperationException("there is no current event: no event was read, or the trace has ended");
        buffers.Add(current.File, current.Offset);
    }

    /// <summary>Time since the trace's start in ns.</summary>
    public long ToNanoseconds(long ticks) =>
        EtlTime.Scale(EtlTime.Subtract(ticks, Header.StartTicks), 1_000_000_000, Header.TicksPerSecond);

    /// <summary>Time in UTC, to 100 ns, limited to the range of <see cref="DateTime"/>.</summary>
    public DateTime ToUtc(long ticks)
    {
        var since = EtlTime.Scale(EtlTime.Subtract(ticks, Header.StartTicks), TimeSpan.TicksPerSecond, Header.TicksPerSecond);
        var time = EtlTime.Add(Header.StartFileTime, since);
        return EtlTime.FromFileTime(time) ?? (time < 0 ? DateTime.MinValue : DateTime.MaxValue);
    }

    /// <summary>Stops decoding and closes the files.</summary>
    public void Dispose()
    {
        if (_disposed)
            return;
        _disposed = true;
        _decoder.Dispose();
        if (!_ownsFiles)
            return;
        foreach (var file in _bytes)
            file.Dispose();
    }

    /// <summary>Time of a record of a header buffer, which comes before all others.</summary>
    private long HeaderRecordTime(ReadOnlySpan<byte> record, int file) =>
        RecordWalker.TryReadTime(record, out var time) ? _clocks[file].Convert(time) : _clocks[file].Start;

    /// <summary>Assigns the buffers their order for equal times, then sorts them by their first records.</summary>
    private static BufferEntry[] InOrder(List<BufferEntry> entries)
    {
        var sorted = entries.ToArray();
        Array.Sort(
            sorted,
            static (left, right) =>
                left.File != right.File ? left.File.CompareTo(right.File)
                : left.Sequence != right.Sequence ? left.Sequence.CompareTo(right.Sequence)
                : left.Offset.CompareTo(right.Offset)
        );
        for (var place = 0; place < sorted.Length; place++)
            sorted[place].Order = place;
        Array.Sort(
            sorted,
            static (left, right) =>
                left.FirstTime != right.FirstTime ? left.FirstTime.CompareTo(right.FirstTime) : left.Order.CompareTo(right.Order)
        );
        return sorted;
    }

    private static long? Sum(EtlTraceHeader[] headers, Func<EtlTraceHeader, long?> value) =>
        headers.Any(header => value(header) is not null) ? headers.Sum(header => value(header) ?? 0) : null;
}
