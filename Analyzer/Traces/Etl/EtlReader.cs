using EtwSerializerProfiler.Etl.Reading;

namespace EtwSerializerProfiler.Etl;

/// <summary>
/// Reads the events of one or several .etl files in order of time, without allocating for an event and in memory that does not depend on the files' sizes
/// (but for an index of 48 bytes a buffer).
/// </summary>
/// <remarks>
/// <para>Order: by time; ties by file, then by the buffer's sequence number, then by place in the file. The records of the header buffers, the log file
/// header first, come before all others, file by file, whatever their time.</para>
/// <para>Damaged buffers are left out from the damage on and reported in <see cref="Statistics"/>; reading goes on behind them.</para>
/// <para>Not for several threads at once.</para>
/// </remarks>
public sealed class EtlReader : IDisposable
{
    private readonly TraceBytes[] _bytes;
    private readonly DecodeAhead _decoder;
    private readonly TimeMerge _merge;

    /// <summary>Whether the files are closed with the reader.</summary>
    private readonly bool _ownsFiles;
    private readonly TraceClockMap[] _clocks;
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
            options.From is { } from ? EtlTime.Add(Header.StartTicks, EtlTime.Scale(from.Ticks, Header.TicksPerSecond, TimeSpan.TicksPerSecond)) : long.MinValue,
            options.To is { } to ? EtlTime.Add(Header.StartTicks, EtlTime.Scale(to.Ticks, Header.TicksPerSecond, TimeSpan.TicksPerSecond)) : long.MaxValue);
        var entries = new List<BufferEntry>();
        for (var number = 0; number < _bytes.Length; number++)
            BufferIndex.Add(_bytes[number], number, headers[number], _clocks[number], range, Statistics, entries);
        Statistics.EventsLost = Sum(headers, header => header.EventsLost);
        Statistics.BuffersLost = Sum(headers, header => header.BuffersLost);
        var progress = options.Progress is null ? null : new BufferProgress(options.Progress, string.Join(", ", _bytes.Select(file => file.Name)), entries.Sum(entry => (long)entry.Size));
        var threads = options.DecodeThreads ?? Math.Clamp(Environment.ProcessorCount - 1, 0, 4);
        _decoder = new DecodeAhead(InOrder(entries), _bytes, _clocks, range, options.SessionRecords, Math.Max(0, threads), Statistics, progress);
        _merge = new TimeMerge(_decoder, Header.TicksPerSecond / 1000, Statistics);
    }

    /// <summary>Header of the file that began first; its clock is the trace's.</summary>
    public EtlTraceHeader Header { get; }

    /// <summary>All files.</summary>
    public IReadOnlyList<EtlFile> Files { get; }

    /// <summary>What was found so far.</summary>
    public EtlStatistics Statistics { get; }

    /// <summary>Opens a trace: an .etl file, or an archive (.zip, .etl.zip, .diagsession) whose .etl files are read as one trace.</summary>
    /// <exception cref="EtlFormatException">It is no .etl file, or an archive without one.</exception>
    /// <exception cref="IOException">It cannot be opened or read.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read, or is a folder.</exception>
    public static EtlReader Open(string path, EtlReadOptions? options = null) => Open([path], options);

    /// <summary>Opens several files of one session, or of sessions that ran at the same time, as one trace.</summary>
    /// <exception cref="EtlFormatException">One is no .etl file, or an archive without one.</exception>
    /// <exception cref="IOException">One cannot be opened or read.</exception>
    /// <exception cref="UnauthorizedAccessException">One may not be read, or is a folder.</exception>
    public static EtlReader Open(IReadOnlyList<string> paths, EtlReadOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentOutOfRangeException.ThrowIfZero(paths.Count, nameof(paths));
        options ??= new EtlReadOptions();
        return Open(TraceFiles.Open(paths, options), options);
    }

    /// <summary>Opens files that stay open when the reader is disposed of; several readers may read them.</summary>
    /// <exception cref="EtlFormatException">One is no .etl file.</exception>
    /// <exception cref="IOException">One cannot be read.</exception>
    public static EtlReader Open(EtlFiles files, EtlReadOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(files);
        return new EtlReader(files.Files, options ?? new EtlReadOptions(), ownsFiles: false);
    }

    /// <summary>Opens an .etl file that is in memory.</summary>
    /// <param name="content">Its bytes; not to be changed while they are read.</param>
    /// <param name="name">What errors and damages call it.</param>
    /// <param name="options">How to read it.</param>
    /// <exception cref="EtlFormatException">It is no .etl file.</exception>
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
    /// <exception cref="IOException">The file cannot be read.</exception>
    public bool TryRead(out EtlEvent traceEvent)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        var buffer = _merge.Next(out var record);
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

    /// <summary>Time since the trace's start in ns.</summary>
    public long ToNanoseconds(long ticks) => EtlTime.Scale(EtlTime.Subtract(ticks, Header.StartTicks), 1_000_000_000, Header.TicksPerSecond);

    /// <summary>Time in UTC, to 100 ns; the nearest that <see cref="DateTime"/> has.</summary>
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

    /// <summary>Time of a record of a header buffer, which stands before all others whatever its time.</summary>
    private long HeaderRecordTime(ReadOnlySpan<byte> record, int file) =>
        RecordWalker.TryReadTime(record, out var time) ? _clocks[file].Convert(time) : _clocks[file].Start;

    /// <summary>Gives the buffers their places for ties, then puts them in order of their first records.</summary>
    private static BufferEntry[] InOrder(List<BufferEntry> entries)
    {
        var sorted = entries.ToArray();
        Array.Sort(sorted, static (left, right) =>
            left.File != right.File ? left.File.CompareTo(right.File)
            : left.Sequence != right.Sequence ? left.Sequence.CompareTo(right.Sequence)
            : left.Offset.CompareTo(right.Offset));
        for (var place = 0; place < sorted.Length; place++)
            sorted[place].Order = place;
        Array.Sort(sorted, static (left, right) =>
            left.FirstTime != right.FirstTime ? left.FirstTime.CompareTo(right.FirstTime) : left.Order.CompareTo(right.Order));
        return sorted;
    }

    private static long? Sum(EtlTraceHeader[] headers, Func<EtlTraceHeader, long?> value) =>
        headers.Any(header => value(header) is not null) ? headers.Sum(header => value(header) ?? 0) : null;
}
