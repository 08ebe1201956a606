using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>
/// Writes records that the kernel does not: names and clocks of threads, executable mappings, thread starts and ends, the kernel's own
/// text. For perf events these are the facts from before the session; for the ptrace sampler all of them. The records equal those that the
/// kernel would write.
/// </summary>
/// <param name="writer">The file.</param>
/// <param name="id">Id of the event that they belong to.</param>
/// <param name="time">Time of the records in ns.</param>
internal sealed class ProcessSnapshot(IPerfRecordSink writer, ulong id, long time)
{
    private const int HeaderSize = 8;

    /// <summary>TID, TIME, CPU, IDENTIFIER.</summary>
    private const int TrailerSize = 32;

    private const int MaxTextLength = 4096;

    /// <summary>PERF_RECORD_MISC_COMM_EXEC: exec gave the name.</summary>
    private const ushort NameOfExec = 1 << 13;

    /// <summary>Time of the next records in ns.</summary>
    public long Time { get; set; } = time;

    private readonly byte[] _record = new byte[HeaderSize + 64 + MaxTextLength + 8 + TrailerSize];

    /// <summary>Threads of a process; empty when it has ended.</summary>
    public static IReadOnlyList<int> Threads(int processId) => Numbers($"/proc/{processId}/task");

    /// <summary>All visible processes.</summary>
    public static IReadOnlyList<int> Processes() => Numbers("/proc");

    /// <summary>Writes names and mappings of a process.</summary>
    public void WriteProcess(int processId) => WriteProcess(processId, $"/proc/{processId}");

    /// <summary>
    /// Writes what can be read. A thread or the process may end at any moment, and access may be denied: their frames remain addresses.
    /// </summary>
    internal void WriteProcess(int processId, string folder)
    {
        foreach (var thread in Numbers($"{folder}/task"))
        {
            if (Read($"{folder}/task/{thread}/comm") is { Length: > 0 } name)
                WriteComm(processId, thread, name.TrimEnd('\n'));
        }

        foreach (var line in Read($"{folder}/maps").Split('\n', StringSplitOptions.RemoveEmptyEntries))
            WriteMapping(processId, line);
    }

    private static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }

    /// <summary>
    /// Writes the kernel's text mapping as perf does, so that kernel symbols resolve; nothing when kallsyms hides addresses.
    /// </summary>
    public void WriteKernel()
    {
        KernelText? found;
        try
        {
            found = KernelText.Find(File.ReadLines("/proc/kallsyms"));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return;
        }

        if (found is not { } text)
            return;
        var payload = _record.AsSpan(HeaderSize);
        BinaryPrimitives.WriteInt32LittleEndian(payload, -1);
        BinaryPrimitives.WriteInt32LittleEndian(payload[4..], 0);
        BinaryPrimitives.WriteUInt64LittleEndian(payload[8..], text.Start);
        BinaryPrimitives.WriteUInt64LittleEndian(payload[16..], text.End - text.Start);
        BinaryPrimitives.WriteUInt64LittleEndian(payload[24..], text.Start);
        Finish(PerfRecordType.Mmap, misc: 1, 32, $"[kernel.kallsyms]{text.FirstSymbol}", -1, 0);
    }

    /// <summary>Writes a loss of records (PERF_RECORD_LOST_SAMPLES).</summary>
    public void WriteLost(long count)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_record.AsSpan(HeaderSize), count);
        Finish(PerfRecordType.LostSamples, misc: 0, 8, null, 0, 0);
    }

    /// <summary>Writes the name of a thread.</summary>
    public void WriteComm(int processId, int thread, string name, bool isExec = false)
    {
        var payload = _record.AsSpan(HeaderSize);
        BinaryPrimitives.WriteInt32LittleEndian(payload, processId);
        BinaryPrimitives.WriteInt32LittleEndian(payload[4..], thread);
        Finish(PerfRecordType.Comm, isExec ? NameOfExec : (ushort)0, 8, name, processId, thread);
    }

    /// <summary>Writes the start or end of a thread.</summary>
    public void WriteTask(bool isEnd, int processId, int thread, int parentProcess, int parentThread)
    {
        var payload = _record.AsSpan(HeaderSize);
        BinaryPrimitives.WriteInt32LittleEndian(payload, processId);
        BinaryPrimitives.WriteInt32LittleEndian(payload[4..], parentProcess);
        BinaryPrimitives.WriteInt32LittleEndian(payload[8..], thread);
        BinaryPrimitives.WriteInt32LittleEndian(payload[12..], parentThread);
        BinaryPrimitives.WriteInt64LittleEndian(payload[16..], Time);
        Finish(isEnd ? PerfRecordType.Exit : PerfRecordType.Fork, misc: 0, 24, null, processId, thread);
    }

    /// <summary>Writes a reading of a thread's clocks, as a count of <see cref="PerfDataSource.ClockEvent"/>.</summary>
    /// <param name="processId">Process.</param>
    /// <param name="thread">Thread.</param>
    /// <param name="cpu">Its CPU time in ns.</param>
    /// <param name="ready">Its ready time in ns.</param>
    /// <param name="since">Its CPU time since the previous reading, because perf sums such counts.</param>
    /// <param name="eventId">Id of the event in the file.</param>
    public void WriteClock(int processId, int thread, long cpu, long ready, long since, ulong eventId)
    {
        var payload = _record.AsSpan(HeaderSize);
        BinaryPrimitives.WriteInt32LittleEndian(payload, processId);
        BinaryPrimitives.WriteInt32LittleEndian(payload[4..], thread);
        BinaryPrimitives.WriteInt64LittleEndian(payload[8..], since);
        BinaryPrimitives.WriteInt64LittleEndian(payload[16..], cpu + ready);
        BinaryPrimitives.WriteInt64LittleEndian(payload[24..], cpu);
        BinaryPrimitives.WriteUInt64LittleEndian(payload[32..], eventId);
        Finish(PerfRecordType.Read, misc: 0, 40, null, processId, thread, eventId);
    }

    /// <summary>
    /// Writes an executable mapping from a line of /proc/PID/maps: <c>start-end perms offset major:minor inode path</c>, with all numbers
    /// but the inode in hexadecimal.
    /// </summary>
    public void WriteMapping(int processId, string line)
    {
        var parts = line.Split(' ', 6, StringSplitOptions.RemoveEmptyEntries);
        if (parts.Length < 5 || !parts[1].Contains('x', StringComparison.Ordinal))
            return;
        var ends = parts[0].Split('-');
        var device = parts[3].Split(':');
        var start = Hex(ends[0]);
        var payload = _record.AsSpan(HeaderSize);
        BinaryPrimitives.WriteInt32LittleEndian(payload, processId);
        BinaryPrimitives.WriteInt32LittleEndian(payload[4..], processId);
        BinaryPrimitives.WriteUInt64LittleEndian(payload[8..], start);
        BinaryPrimitives.WriteUInt64LittleEndian(payload[16..], Hex(ends[1]) - start);
        BinaryPrimitives.WriteUInt64LittleEndian(payload[24..], Hex(parts[2]));
        BinaryPrimitives.WriteUInt32LittleEndian(payload[32..], (uint)Hex(device[0]));
        BinaryPrimitives.WriteUInt32LittleEndian(payload[36..], (uint)Hex(device[1]));
        BinaryPrimitives.WriteUInt64LittleEndian(payload[40..], ulong.Parse(parts[4], CultureInfo.InvariantCulture));
        BinaryPrimitives.WriteUInt64LittleEndian(payload[48..], 0);
        var protection =
            (parts[1].Contains('r', StringComparison.Ordinal) ? 1 : 0) | (parts[1].Contains('w', StringComparison.Ordinal) ? 2 : 0) | 4;
        BinaryPrimitives.WriteInt32LittleEndian(payload[56..], protection);
        BinaryPrimitives.WriteInt32LittleEndian(payload[60..], parts[1].EndsWith('s') ? 1 : 2); // MAP_SHARED, MAP_PRIVATE
        Finish(PerfRecordType.Mmap2, misc: 2, 64, parts.Length > 5 ? parts[5] : "//anon", processId, processId);

        static ulong Hex(string text) => ulong.Parse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
    }

    /// <summary>Adds text with its zero and padding, trailer and header, and writes the record.</summary>
    private void Finish(PerfRecordType type, ushort misc, int fixedSize, string? text, int processId, int thread, ulong? eventId = null)
    {
        var at = HeaderSize + fixedSize;
        if (text is not null)
        {
            var bytes = Encoding.UTF8.GetBytes(text);
            var length = Math.Min(bytes.Length, MaxTextLength);
            var padded = (length + 8) / 8 * 8;
            _record.AsSpan(at, padded).Clear();
            bytes.AsSpan(0, length).CopyTo(_record.AsSpan(at));
            at += padded;
        }

        var trailer = _record.AsSpan(at, TrailerSize);
        BinaryPrimitives.WriteInt32LittleEndian(trailer, processId);
        BinaryPrimitives.WriteInt32LittleEndian(trailer[4..], thread);
        BinaryPrimitives.WriteInt64LittleEndian(trailer[8..], Time);
        BinaryPrimitives.WriteInt64LittleEndian(trailer[16..], 0);
        BinaryPrimitives.WriteUInt64LittleEndian(trailer[24..], eventId ?? id);
        BinaryPrimitives.WriteInt32LittleEndian(_record, (int)type);
        BinaryPrimitives.WriteUInt16LittleEndian(_record.AsSpan(4), misc);
        BinaryPrimitives.WriteUInt16LittleEndian(_record.AsSpan(6), (ushort)(at + TrailerSize));
        writer.Write(_record.AsSpan(0, at + TrailerSize));
    }

    private static List<int> Numbers(string folder)
    {
        try
        {
            return
            [
                .. Directory
                    .EnumerateDirectories(folder)
                    .Select(path =>
                        int.TryParse(Path.GetFileName(path), NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : -1
                    )
                    .Where(number => number > 0),
            ];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
