using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Etl;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>
/// Writes the description of a TraceLogging event as a TRACE_EVENT_INFO structure (tdh.h), the format of event descriptions in merged
/// traces (KernelTraceControl's EventInfo) and which TraceEvent understands on every system.
/// </summary>
/// <remarks>
/// Properties of the event come first, then the members of each structure as a block. A length or count that precedes its values is a
/// property of its own, which the property with the values names by index.
/// </remarks>
internal static class TraceEventInfo
{
    private const int FixedBytes = 112;
    private const int PropertyBytes = 24;

    // EVENT_PROPERTY_INFO.Flags
    private const int IsStructure = 1;
    private const int HasLengthProperty = 2;
    private const int HasCountProperty = 4;
    private const int HasFixedCount = 0x20;

    private const byte UInt16 = 6;

    /// <summary>DecodingSourceTlg.</summary>
    private const int FromTraceLogging = 3;

    private const byte TraceLoggingChannel = 11;

    public static byte[] Write(Guid provider, TraceLoggingSchema schema)
    {
        var properties = new List<Property>();
        AddBlock(schema.Fields, properties);
        var topLevel = properties.Count;
        for (var i = 0; i < properties.Count; i++)
        {
            if (properties[i].Members is not { Count: > 0 } members)
                continue;
            var start = properties.Count;
            AddBlock(members, properties);
            properties[i] = properties[i] with { InType = (ushort)start, OutType = (ushort)(properties.Count - start) };
        }

        var texts = new ArrayBufferWriter<byte>();
        var textsAt = FixedBytes + (properties.Count * PropertyBytes);
        var bytes = new byte[textsAt];
        MemoryMarshal.Write(bytes, in provider);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(32), schema.Id);
        bytes[35] = TraceLoggingChannel;
        bytes[37] = schema.Opcode;
        Int(48, FromTraceLogging);
        Int(52, Text(schema.ProviderName.Length > 0 ? schema.ProviderName : $"Provider({provider})"));
        Int(68, Text(schema.EventName.Length > 0 ? schema.EventName : "unnamed"));
        if (OpcodeName(schema.Opcode) is { } opcode)
            Int(72, Text(opcode));
        Int(100, properties.Count);
        Int(104, topLevel);
        for (var i = 0; i < properties.Count; i++)
        {
            var property = properties[i];
            var at = FixedBytes + (i * PropertyBytes);
            Int(at, property.Flags);
            Int(at + 4, Text(property.Name));
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(at + 8), property.InType);
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(at + 10), property.OutType);
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(at + 16), property.Count);
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(at + 18), property.Length);
        }

        return [.. bytes, .. texts.WrittenSpan];

        void Int(int at, int value) => BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(at), value);

        int Text(string text)
        {
            var at = textsAt + texts.WrittenCount;
            texts.Write(MemoryMarshal.AsBytes(text.AsSpan()));
            texts.Write("\0\0"u8);
            return at;
        }
    }

    private static void AddBlock(IReadOnlyList<TraceLoggingField> fields, List<Property> properties)
    {
        foreach (var field in fields)
        {
            var flags = field.IsStructure ? IsStructure : 0;
            ushort count = 1,
                length = 0;
            if (field.Array == TraceLoggingArray.Counted)
            {
                count = (ushort)properties.Count;
                flags |= HasCountProperty;
                properties.Add(new Property(0, field.Name + ".Count", UInt16, 0, 1, 2, null));
            }
            else if (field.InType == TraceLoggingField.Binary)
            {
                length = (ushort)properties.Count;
                flags |= HasLengthProperty;
                properties.Add(new Property(0, field.Name + ".Length", UInt16, 0, 1, 2, null));
            }
            else if (field.Array == TraceLoggingArray.Constant)
            {
                count = field.Count;
                flags |= HasFixedCount;
            }

            properties.Add(
                new Property(
                    flags,
                    field.Name,
                    field.InType,
                    OutType(field.OutType),
                    count,
                    length,
                    field.IsStructure ? field.Members : null
                )
            );
        }
    }

    /// <summary>TDH_OUT_TYPE of a TlgOut_t of TraceLoggingProvider.h; 0 (default) for those without one.</summary>
    private static ushort OutType(byte traceLogging) =>
        traceLogging switch
        {
            2 => 1, // string
            3 => 13, // Boolean
            5 => 20, // process id
            6 => 21, // thread id
            7 => 22, // port
            8 => 23, // IPv4
            9 => 24, // IPv6
            10 => 25, // socket address
            11 => 28, // XML
            12 => 34, // JSON
            13 => 30, // Win32 error
            14 => 31, // NTSTATUS
            15 => 32, // HRESULT
            _ => 0,
        };

    /// <summary>Names of winmeta.xml.</summary>
    private static string? OpcodeName(byte opcode) =>
        opcode switch
        {
            1 => "Start",
            2 => "Stop",
            3 => "DC_Start",
            4 => "DC_Stop",
            5 => "Extension",
            6 => "Reply",
            7 => "Resume",
            8 => "Suspend",
            9 => "Send",
            240 => "Receive",
            _ => null,
        };

    /// <summary>An EVENT_PROPERTY_INFO; for a structure, the types are the index and number of its members.</summary>
    private readonly record struct Property(
        int Flags,
        string Name,
        ushort InType,
        ushort OutType,
        ushort Count,
        ushort Length,
        IReadOnlyList<TraceLoggingField>? Members
    );
}

/// <summary>
/// Events that describe other events: manifests of EventSources, and descriptions that merging adds for system providers.
/// </summary>
internal static class Descriptions
{
    /// <summary>Id of the events in which an EventSource writes its manifest, in pieces.</summary>
    private const ushort ManifestId = 0xFFFE;

    /// <summary>Whether an event describes others.</summary>
    public static bool Includes(in EtlEvent item) =>
        item.IsClassic ? !item.IsKernel && item.ProviderId == KernelTraceControl.MetaData : item.Id == ManifestId;
}
