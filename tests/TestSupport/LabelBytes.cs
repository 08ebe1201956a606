using System.Text;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>A list of labels of NetTrace 6.</summary>
public sealed class LabelBytes
{
    private const byte IsLast = 0x80;

    private readonly List<byte[]> _labels = [];

    /// <summary>Adds the id of an activity.</summary>
    public LabelBytes Activity(Guid id) => Add(1, writer => writer.Write(id.ToByteArray()));

    /// <summary>Adds the id of the activity that led to it.</summary>
    public LabelBytes Related(Guid id) => Add(2, writer => writer.Write(id.ToByteArray()));

    /// <summary>Adds a trace id.</summary>
    public LabelBytes Trace(byte[] id) => Add(3, writer => writer.Write(id));

    /// <summary>Adds a span id.</summary>
    public LabelBytes Span(ulong id) => Add(4, writer => writer.Write(id));

    /// <summary>Adds a text.</summary>
    public LabelBytes Text(string name, string value) =>
        Add(
            5,
            writer =>
            {
                writer.Write(name);
                writer.Write(value);
            }
        );

    /// <summary>Adds a number.</summary>
    public LabelBytes Number(string name, long value) =>
        Add(
            6,
            writer =>
            {
                writer.Write(name);
                writer.Write7BitEncodedInt64((value << 1) ^ (value >> 63));
            }
        );

    /// <summary>Adds opcode, keywords, level and version, which replace those of the event's kind.</summary>
    public LabelBytes Override(byte opcode, long keywords, byte level, byte version) =>
        Add(7, writer => writer.Write(opcode))
            .Add(8, writer => writer.Write(keywords))
            .Add(9, writer => writer.Write(level))
            .Add(10, writer => writer.Write(version));

    /// <summary>Adds a label of any kind.</summary>
    public LabelBytes Add(byte kind, Action<BinaryWriter> write)
    {
        using var stream = new MemoryStream();
        using (var writer = new BinaryWriter(stream, Encoding.UTF8, leaveOpen: true))
        {
            writer.Write(kind);
            write(writer);
        }

        _labels.Add(stream.ToArray());
        return this;
    }

    /// <summary>Its bytes; the last label ends the list.</summary>
    public byte[] ToArray() => [.. _labels[..^1].SelectMany(label => label), (byte)(_labels[^1][0] | IsLast), .. _labels[^1][1..]];
}
