using System.Buffers.Binary;
using System.Text;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;
using EtwSerializerProfiler.Traces.TraceEventFeed;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Gets names, opcodes and tasks of events, which the files lack, from TraceEvent's parsers.</summary>
/// <remarks>
/// The parsers describe an event when they see one. So they read a trace in memory with one event of each kind, with zeros as fields and
/// the kind's index as time.
/// </remarks>
internal static class EventDescriptions
{
    /// <summary>Enough for the fields that parsers always read.</summary>
    private const int PayloadBytes = 256;

    private static readonly byte[] s_event = Type("EventBlock");
    private static readonly byte[] s_metadata = Type("MetadataBlock");

    /// <summary>Describes kinds of events in order.</summary>
    public static IReadOnlyList<EventDescription> Of(IReadOnlyList<NetTraceEventType> types)
    {
        var found = new EventDescription[types.Count];
        var opcodes = new Dictionary<(Guid, int), List<int>>();
        foreach (var part in types.Index().GroupBy(pair => RankOf(pair.Item, opcodes)))
            Describe([.. part], found);
        return found;
    }

    /// <summary>
    /// Index of the trace that describes a kind: TraceEvent has one description per id, but labels can give its events several opcodes.
    /// </summary>
    private static int RankOf(NetTraceEventType type, Dictionary<(Guid, int), List<int>> opcodes)
    {
        if (type.EventId == 0)
            return 0; // distinguished by its name
        var key = (type.Provider, type.EventId);
        if (!opcodes.TryGetValue(key, out var known))
            opcodes.Add(key, known = []);
        if (!known.Contains(type.Opcode))
            known.Add(type.Opcode);
        return known.IndexOf(type.Opcode);
    }

    private static void Describe(IReadOnlyList<(int Index, NetTraceEventType Type)> types, EventDescription[] found)
    {
        using var stream = Write([.. types.Select(pair => pair.Type)]);
        using var source = new EventPipeEventSource(stream);
        StandardParsers.AddTo(source);
#pragma warning disable CS0618 // "Discouraged": the only exact time
        source.AllEvents += data =>
            found[types[(int)data.TimeStampQPC].Index] = new EventDescription(data.EventName, (int)data.Opcode, (int)data.Task);
#pragma warning restore CS0618
        source.Process();
    }

    private static MemoryStream Write(IReadOnlyList<NetTraceEventType> types)
    {
        var stream = new MemoryStream();
        var writer = new NetTraceBlockWriter(stream, Head());
        WriteBlock(writer, s_metadata, types.Count, (index, record) => Record(types[index], index + 1, record), static _ => 0);
        WriteBlock(writer, s_event, types.Count, static (_, record) => record.Write(new byte[PayloadBytes]), static index => index + 1);
        writer.EndStream();
        stream.Position = 0;
        return stream;
    }

    /// <summary>Writes a block of records with compressed headers; see <see cref="EventHeader"/>.</summary>
    private static void WriteBlock(
        NetTraceBlockWriter writer,
        byte[] type,
        int count,
        Action<int, BinaryWriter> payload,
        Func<int, int> metadataId
    )
    {
        const byte MetadataIdAndPayloadBytes = 1 | 128;
        using var content = new MemoryStream();
        using var fields = new BinaryWriter(content);
        fields.Write((short)EventBlock.HeadBytes);
        fields.Write(EventBlock.IsCompressed);
        fields.Write(new byte[EventBlock.HeadBytes - 2 * sizeof(short)]);
        for (var i = 0; i < count; i++)
        {
            using var bytes = new MemoryStream();
            using var record = new BinaryWriter(bytes);
            payload(i, record);
            record.Flush();
            fields.Write(MetadataIdAndPayloadBytes);
            fields.Write7BitEncodedInt(metadataId(i));
            fields.Write7BitEncodedInt(Math.Min(i, 1)); // time since the previous event
            fields.Write7BitEncodedInt((int)bytes.Length);
            fields.Write(bytes.ToArray());
        }

        fields.Flush();
        writer.Begin(type, (int)content.Length);
        writer.Write(content.ToArray());
        writer.EndBlock();
    }

    /// <summary>A metadata record; see <see cref="MetadataBlock"/>.</summary>
    private static void Record(NetTraceEventType type, int id, BinaryWriter record)
    {
        record.Write(id);
        WriteText(record, type.ProviderName);
        record.Write(type.EventId);
        WriteText(record, type.Name);
        record.Write(type.Keywords);
        record.Write(type.Version);
        record.Write(type.Level);
        record.Write(0); // fields
        if (type.Opcode == 0)
            return; // a manifest may have it
        record.Write(1); // bytes of the opcode
        record.Write((byte)1);
        record.Write((byte)type.Opcode);
    }

    private static void WriteText(BinaryWriter writer, string text) => writer.Write(Encoding.Unicode.GetBytes(text + '\0'));

    /// <summary>Everything before the first block, in format 4; see <see cref="NetTraceLayout"/>.</summary>
    private static byte[] Head()
    {
        var trace = new byte[49];
        BinaryPrimitives.WriteInt16LittleEndian(trace, 2000); // year, month, day
        BinaryPrimitives.WriteInt16LittleEndian(trace.AsSpan(2), 1);
        BinaryPrimitives.WriteInt16LittleEndian(trace.AsSpan(6), 1);
        BinaryPrimitives.WriteInt64LittleEndian(trace.AsSpan(24), TimeSpan.TicksPerSecond);
        BinaryPrimitives.WriteInt32LittleEndian(trace.AsSpan(32), sizeof(ulong));
        trace[48] = 6;
        return [.. NetTraceLayout.Magic, 20, 0, 0, 0, .. "!FastSerialization.1"u8, .. Type("Trace", version: 4), .. trace];
    }

    private static byte[] Type(string name, byte version = 2) =>
        [5, 5, 1, version, 0, 0, 0, version, 0, 0, 0, (byte)name.Length, 0, 0, 0, .. Encoding.ASCII.GetBytes(name), 6];
}

/// <summary>Description of an event kind from a manifest.</summary>
/// <param name="Name">Name of the event with its opcode.</param>
/// <param name="Opcode">Opcode.</param>
/// <param name="Task">Task.</param>
internal readonly record struct EventDescription(string Name, int Opcode, int Task);
