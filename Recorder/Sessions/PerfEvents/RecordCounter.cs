using System.Buffers.Binary;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>
/// Counts records on their way from ring to file and tracks their time span. One thread writes; any thread may read the counts.
/// </summary>
/// <remarks>
/// Sample fields of every event of a plan begin with IDENTIFIER, IP, TID, TIME, each 8 bytes; the other records end with TID, TIME, CPU,
/// IDENTIFIER.
/// </remarks>
/// <param name="buildIds">Receives the mappings.</param>
internal sealed class RecordCounter(BuildIdSection buildIds)
{
    private const int HeaderSize = 8;
    private const int SampleTime = HeaderSize + 24;
    private const int TrailerTime = 24;

    /// <summary>PERF_RECORD_MISC_SWITCH_OUT.</summary>
    private const int SwitchOutBit = 1 << 13;

    private long _samples;
    private long _switches;
    private long _switchOuts;
    private long _others;
    private long _lost;
    private long _throttled;

    /// <summary>Earliest time; 0 before the first record.</summary>
    public long FirstTime { get; private set; }

    /// <summary>Latest time.</summary>
    public long LastTime { get; private set; }

    /// <summary>Number of switch-outs, for the thread that counts.</summary>
    public long SwitchOuts => _switchOuts;

    /// <summary>Number of lost records that the rings reported.</summary>
    public long Lost => Volatile.Read(ref _lost);

    /// <summary>The counts, without records that the sink dropped by design.</summary>
    public PerfSessionStatistics Read(IPerfRecordSink sink)
    {
        var bytes = sink.DataBytes;
        var dropped = sink.Dropped;
        return new PerfSessionStatistics(
            Volatile.Read(ref _samples) - dropped.Samples,
            Volatile.Read(ref _switches) - dropped.Switches,
            Math.Max(0, Volatile.Read(ref _others) - dropped.Others),
            Math.Max(0, Lost - dropped.Lost),
            Volatile.Read(ref _throttled),
            bytes
        );
    }

    /// <summary>Counts records.</summary>
    /// <param name="records">Whole records.</param>
    /// <exception cref="InvalidDataException">The bytes are not records: the ring is corrupt.</exception>
    public void Count(ReadOnlySpan<byte> records)
    {
        while (records.Length > 0)
        {
            var size = records.Length < HeaderSize ? 0 : BinaryPrimitives.ReadUInt16LittleEndian(records[6..]);
            if (size < HeaderSize || size > records.Length)
                throw new InvalidDataException($"a record in the ring has size {size} with {Plural.Of(records.Length, "byte")} left");
            var record = records[..size];
            var type = (PerfRecordType)BinaryPrimitives.ReadInt32LittleEndian(record);
            switch (type)
            {
                case PerfRecordType.Sample:
                    _samples++;
                    break;
                case PerfRecordType.Switch or PerfRecordType.SwitchCpuWide:
                    _switches++;
                    if ((BinaryPrimitives.ReadUInt16LittleEndian(record[4..]) & SwitchOutBit) != 0)
                        _switchOuts++;
                    break;
                case PerfRecordType.Lost when size >= 24:
                    _lost += BinaryPrimitives.ReadInt64LittleEndian(record[16..]);
                    _others++;
                    break;
                case PerfRecordType.Mmap2:
                    buildIds.Add(record);
                    _others++;
                    break;
                case PerfRecordType.Throttle:
                    _throttled++;
                    _others++;
                    break;
                default:
                    _others++;
                    break;
            }

            if (TimeOf(type, record) is not 0 and var time)
                Note(time);
            records = records[size..];
        }
    }

    /// <summary>Time of a record; 0 when it has none.</summary>
    public static long TimeOf(PerfRecordType type, ReadOnlySpan<byte> record)
    {
        var at = type == PerfRecordType.Sample ? SampleTime : record.Length - TrailerTime;
        return at >= HeaderSize && at + 8 <= record.Length ? BinaryPrimitives.ReadInt64LittleEndian(record[at..]) : 0;
    }

    /// <summary>Adds lost records that no ring reported.</summary>
    public void AddLost(long count) => _lost += count;

    private void Note(long time)
    {
        if (FirstTime == 0 || time < FirstTime)
            FirstTime = time;
        if (time > LastTime)
            LastTime = time;
    }
}
