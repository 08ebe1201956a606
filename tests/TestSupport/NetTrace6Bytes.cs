using System.Text;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// Bytes of a made-up NetTrace 6 file, block by block. Every event is marked as sorted and comes from one capturing thread.
/// </summary>
public sealed class NetTrace6Bytes
{
    private const int CapturingThread = 1;

    private readonly List<byte> _file = [];
    private uint _sequence;

    /// <summary>Begins a file of a clock with 1,000,000 ticks a second that starts at tick 1,000.</summary>
    public NetTrace6Bytes()
    {
        _file.AddRange("Nettrace"u8);
        _file.AddRange([0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]);
        Block(
            1,
            trace =>
            {
                foreach (var part in (short[])[2026, 11, 6, 21, 14, 0, 0, 0])
                    trace.Write(part);
                trace.Write(1_000L);
                trace.Write(1_000_000L);
                trace.Write(8);
                trace.Write(0);
            }
        );
        Thread(CapturingThread, 0, 0);
    }

    /// <summary>Adds a block of a kind of the format.</summary>
    public NetTrace6Bytes Block(int kind, Action<BinaryWriter> write)
    {
        var content = Bytes(write);
        _file.AddRange(BitConverter.GetBytes(content.Length | (kind << 24)));
        _file.AddRange(content);
        return this;
    }

    /// <summary>Processor of events in blocks that are not compressed.</summary>
    public int Processor { get; init; }

    /// <summary>Adds a thread.</summary>
    public NetTrace6Bytes Thread(int index, int processId, int threadId, string name = "") =>
        Block(
            6,
            block =>
            {
                var row = Bytes(writer =>
                {
                    writer.Write7BitEncodedInt(index);
                    writer.Write((byte)1);
                    writer.Write(name);
                    writer.Write((byte)2);
                    writer.Write7BitEncodedInt(processId);
                    writer.Write((byte)3);
                    writer.Write7BitEncodedInt(threadId);
                });
                block.Write((ushort)row.Length);
                block.Write(row);
            }
        );

    /// <summary>Describes a kind of event whose payload is one Int32, the field Number.</summary>
    public NetTrace6Bytes EventType(int id, string provider, int eventId, string name) =>
        Block(
            3,
            block =>
            {
                const byte Int32 = 9;
                var field = Bytes(writer =>
                {
                    writer.Write("Number");
                    writer.Write(Int32);
                });
                var row = Bytes(writer =>
                {
                    writer.Write7BitEncodedInt(id);
                    writer.Write(provider);
                    writer.Write7BitEncodedInt(eventId);
                    writer.Write(name);
                    writer.Write((ushort)1);
                    writer.Write((ushort)field.Length);
                    writer.Write(field);
                    writer.Write((ushort)0);
                });
                block.Write((ushort)0);
                block.Write((ushort)row.Length);
                block.Write(row);
            }
        );

    /// <summary>Adds lists of labels, numbered from <paramref name="first"/>.</summary>
    public NetTrace6Bytes Labels(int first, params LabelBytes[] lists) =>
        Block(
            8,
            block =>
            {
                block.Write(first);
                block.Write(lists.Length);
                foreach (var list in lists)
                    block.Write(list.ToArray());
            }
        );

    /// <summary>Adds a block of events.</summary>
    /// <param name="isCompressed">Whether their headers omit unchanged fields.</param>
    /// <param name="events">Kind, index of the thread, time in ticks, number of the labels, value of the field.</param>
    public NetTrace6Bytes Events(bool isCompressed, params (int Type, int Thread, long Time, int Labels, int Number)[] events) =>
        Block(
            2,
            block =>
            {
                block.Write((short)20);
                block.Write((short)(isCompressed ? 1 : 0));
                block.Write(events.Min(item => item.Time));
                block.Write(events.Max(item => item.Time));
                (int Type, int Thread, long Time, int Labels, int Number)? before = null;
                foreach (var item in events)
                {
                    _sequence++;
                    if (isCompressed)
                        WriteCompressed(block, item, before);
                    else
                        WriteWhole(block, item);
                    block.Write(item.Number);
                    before = item;
                }
            }
        );

    /// <summary>Adds a sequence point, after which labels are numbered from the start again.</summary>
    public NetTrace6Bytes SequencePoint(long time) =>
        Block(
            4,
            block =>
            {
                block.Write(time);
                block.Write(0);
                block.Write(1);
                block.Write7BitEncodedInt(CapturingThread);
                block.Write7BitEncodedInt((int)_sequence);
            }
        );

    /// <summary>The whole file with its end.</summary>
    public byte[] ToArray() => [.. _file, 0, 0, 0, 0];

    private static byte[] Bytes(Action<BinaryWriter> write)
    {
        using var stream = new MemoryStream();
        using (var writer = new BinaryWriter(stream, Encoding.UTF8, leaveOpen: true))
            write(writer);
        return stream.ToArray();
    }

    private void WriteCompressed(
        BinaryWriter block,
        (int Type, int Thread, long Time, int Labels, int Number) item,
        (int Type, int Thread, long Time, int Labels, int Number)? before
    )
    {
        const int IsSorted = 64,
            HasPayloadBytes = 128;
        var (type, thread, time, labels, _) = before ?? default;
        var fields =
            IsSorted
            | (item.Type != type ? 1 : 0)
            | (before is null ? 2 | HasPayloadBytes : 0)
            | (item.Thread != thread ? 4 : 0)
            | (item.Labels != labels ? 16 : 0);
        block.Write((byte)fields);
        if (item.Type != type)
            block.Write7BitEncodedInt(item.Type);
        if (before is null)
        {
            block.Write7BitEncodedInt((int)_sequence - 1); // each event adds one
            block.Write7BitEncodedInt(CapturingThread);
            block.Write7BitEncodedInt(0);
        }

        if (item.Thread != thread)
            block.Write7BitEncodedInt(item.Thread);
        block.Write7BitEncodedInt64(item.Time - time);
        if (item.Labels != labels)
            block.Write7BitEncodedInt(item.Labels);
        if (before is null)
            block.Write7BitEncodedInt(sizeof(int));
    }

    private void WriteWhole(BinaryWriter block, (int Type, int Thread, long Time, int Labels, int Number) item)
    {
        block.Write(48 + sizeof(int)); // bytes after this field
        block.Write(item.Type); // highest bit clear: sorted
        block.Write(_sequence);
        block.Write((long)item.Thread);
        block.Write((long)CapturingThread);
        block.Write(Processor);
        block.Write(0);
        block.Write(item.Time);
        block.Write(item.Labels);
        block.Write(sizeof(int));
    }
}
