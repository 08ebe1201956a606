using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>
/// Header before an event's payload in its block. With header compression, an omitted field has the previous event's value, so one instance
/// reads all headers of a block.
/// </summary>
/// <remarks>
/// Uncompressed, all little-endian: u32 size of the event, u32 metadata id (highest bit clear: sorted), u32 sequence number, u64 thread,
/// u64 capturing thread, i32 processor, u32 stack id, u64 time, then two activity GUIDs (formats 4, 5) or u32 label list (6), u32 payload
/// bytes. Compressed: a byte of <see cref="Fields"/>, followed by variable-length numbers for the fields it names. Sources:
/// NetTraceFormat_v5.md and NetTraceFormat.md (version 6) of microsoft/perfview.
/// </remarks>
internal struct EventHeader
{
    private const int ActivityBytes = 16;

    /// <summary>Id of the event's type.</summary>
    public int MetadataId;

    /// <summary>Counts the events that the capturing thread tried to write.</summary>
    public uint Sequence;

    /// <summary>The writing thread: an id, in format 6 an index.</summary>
    public long CapturingThread;

    /// <summary>Processor of that thread.</summary>
    public int Processor;

    /// <summary>The thread that the event concerns: an id, in format 6 an index.</summary>
    public long Thread;

    /// <summary>Id of its stack; 0 for none.</summary>
    public int StackId;

    /// <summary>Time.</summary>
    public long Time;

    /// <summary>Whether all later events in the file are at least as new.</summary>
    public bool IsSorted;

    /// <summary>Id of its label list in format 6; 0 for none.</summary>
    public uint LabelList;

    /// <summary>Size of the payload, which follows.</summary>
    public int PayloadBytes;

    /// <summary>Bytes from the activity's id to the end of the block; 0 for none, and in format 6, which has labels instead.</summary>
    public int ActivityFromEnd;

    /// <summary>Bytes from the related activity's id to the end of the block; 0 for none.</summary>
    public int RelatedActivityFromEnd;

    [Flags]
    private enum Fields : byte
    {
        MetadataId = 1,
        CapturingThread = 2,
        Thread = 4,
        StackId = 8,
        ActivityOrLabels = 16,
        RelatedActivity = 32,
        IsSorted = 64,
        PayloadBytes = 128,
    }

    /// <summary>Reads the next header.</summary>
    /// <param name="reader">Positioned at the header, and afterwards at the payload.</param>
    /// <param name="isCompressed">Whether the block has compressed headers.</param>
    /// <param name="version">Version of the format.</param>
    /// <returns>False when header or payload exceed the block.</returns>
    public bool TryRead(ref PayloadReader reader, bool isCompressed, int version)
    {
        if (isCompressed)
            ReadCompressed(ref reader, version);
        else
            ReadWhole(ref reader, version);
        return reader.Fits && PayloadBytes >= 0 && PayloadBytes <= reader.Left;
    }

    private void ReadCompressed(ref PayloadReader reader, int version)
    {
        var fields = (Fields)reader.Byte();
        if ((fields & Fields.MetadataId) != 0)
            MetadataId = (int)reader.Variable();
        if ((fields & Fields.CapturingThread) != 0)
        {
            Sequence += (uint)reader.Variable();
            CapturingThread = (long)reader.Variable();
            Processor = (int)reader.Variable();
        }

        // A metadata record has this header, too, and counts only in format 6.
        if (MetadataId != 0 || version >= 6)
            Sequence++;
        if ((fields & Fields.Thread) != 0)
            Thread = (long)reader.Variable();
        if ((fields & Fields.StackId) != 0)
            StackId = (int)reader.Variable();
        Time += (long)reader.Variable();
        if ((fields & Fields.ActivityOrLabels) != 0)
        {
            if (version >= 6)
                LabelList = (uint)reader.Variable();
            else
                ActivityFromEnd = SkipActivity(ref reader);
        }

        if ((fields & Fields.RelatedActivity) != 0 && version < 6)
            RelatedActivityFromEnd = SkipActivity(ref reader);
        IsSorted = (fields & Fields.IsSorted) != 0;
        if ((fields & Fields.PayloadBytes) != 0)
            PayloadBytes = (int)Math.Min(reader.Variable(), int.MaxValue);
    }

    private static int SkipActivity(ref PayloadReader reader)
    {
        var left = reader.Left;
        reader.Bytes(ActivityBytes);
        return left;
    }

    private void ReadWhole(ref PayloadReader reader, int version)
    {
        if (version < 6)
            (ActivityFromEnd, RelatedActivityFromEnd) = (reader.Left - 44, reader.Left - 44 - ActivityBytes);
        var bytes = reader.Bytes(version >= 6 ? 52 : 80);
        if (!reader.Fits)
            return;
        var metadata = BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]);
        (MetadataId, IsSorted) = ((int)(metadata & int.MaxValue), metadata >> 31 == 0);
        Sequence = BinaryPrimitives.ReadUInt32LittleEndian(bytes[8..]);
        Thread = BinaryPrimitives.ReadInt64LittleEndian(bytes[12..]);
        CapturingThread = BinaryPrimitives.ReadInt64LittleEndian(bytes[20..]);
        Processor = BinaryPrimitives.ReadInt32LittleEndian(bytes[28..]);
        StackId = BinaryPrimitives.ReadInt32LittleEndian(bytes[32..]);
        Time = BinaryPrimitives.ReadInt64LittleEndian(bytes[36..]);
        LabelList = version >= 6 ? BinaryPrimitives.ReadUInt32LittleEndian(bytes[44..]) : 0;
        PayloadBytes = BinaryPrimitives.ReadInt32LittleEndian(bytes[^4..]);
    }
}
