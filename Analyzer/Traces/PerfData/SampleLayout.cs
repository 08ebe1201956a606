using System.Numerics;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Byte offsets of the fixed fields in the records of one event, computed once from its settings. Order of the fields: PERF_RECORD_SAMPLE
/// and struct sample_id in linux/perf_event.h.
/// </summary>
internal sealed class SampleLayout
{
    /// <summary>Offset of a missing field.</summary>
    public const int Absent = -1;

    /// <summary>Size of struct perf_event_header.</summary>
    public const int HeaderSize = 8;

    public SampleLayout(PerfEventSettings settings)
    {
        var fields = settings.SampleFields;
        var next = HeaderSize;
        Identifier = Take(PerfSampleFields.Identifier);
        Ip = Take(PerfSampleFields.Ip);
        Tid = Take(PerfSampleFields.Tid);
        Time = Take(PerfSampleFields.Time);
        Address = Take(PerfSampleFields.Address);
        Id = Take(PerfSampleFields.Id);
        Take(PerfSampleFields.StreamId);
        Cpu = Take(PerfSampleFields.Cpu);
        Period = Take(PerfSampleFields.Period);
        FixedSize = next;

        if ((settings.Bits & PerfEventBits.SampleIdAll) != 0)
        {
            var back = 0;
            TrailerIdentifier = TakeBack(PerfSampleFields.Identifier);
            TrailerCpu = TakeBack(PerfSampleFields.Cpu);
            TakeBack(PerfSampleFields.StreamId);
            TrailerId = TakeBack(PerfSampleFields.Id);
            TrailerTime = TakeBack(PerfSampleFields.Time);
            TrailerTid = TakeBack(PerfSampleFields.Tid);
            TrailerSize = back;

            int TakeBack(PerfSampleFields field) => (fields & field) == 0 ? Absent : back += 8;
        }

        // read_format: in a group, every counter has value, id and lost; the count and the times come once.
        var counter =
            8 * (1 + BitOperations.PopCount(settings.ReadFormat & ReadId) + BitOperations.PopCount(settings.ReadFormat & ReadLost));
        var times = 8 * BitOperations.PopCount(settings.ReadFormat & ReadTimes);
        ReadGrouped = (settings.ReadFormat & ReadGroup) != 0;
        ReadHead = ReadGrouped ? 8 + times : times + counter;
        ReadCounter = counter;

        int Take(PerfSampleFields field)
        {
            if ((fields & field) == 0)
                return Absent;
            next += 8;
            return next - 8;
        }
    }

    // enum perf_event_read_format
    private const ulong ReadTimes = 0b11;
    private const ulong ReadId = 1 << 2;
    private const ulong ReadGroup = 1 << 3;
    private const ulong ReadLost = 1 << 4;

    /// <summary>Offsets in a sample from its first byte.</summary>
    public int Identifier { get; }

    public int Ip { get; }

    public int Tid { get; }

    public int Time { get; }

    public int Address { get; }

    public int Id { get; }

    public int Cpu { get; }

    public int Period { get; }

    /// <summary>Size of header and fixed fields, before the variable-length part.</summary>
    public int FixedSize { get; }

    /// <summary>Offsets in the trailer of other records, from their end.</summary>
    public int TrailerIdentifier { get; } = Absent;

    public int TrailerCpu { get; } = Absent;

    public int TrailerId { get; } = Absent;

    public int TrailerTime { get; } = Absent;

    public int TrailerTid { get; } = Absent;

    public int TrailerSize { get; }

    /// <summary>Whether counter values have a count.</summary>
    public bool ReadGrouped { get; }

    /// <summary>Bytes of counter values before the repeated part.</summary>
    public int ReadHead { get; }

    /// <summary>Bytes of one counter in a group.</summary>
    public int ReadCounter { get; }
}
