using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>A label list of format 6: what an event has in addition to, or differently from, its kind.</summary>
internal sealed record EventLabels
{
    private const byte IsLast = 0x80;

    /// <summary>The activity; empty for none.</summary>
    public Guid ActivityId { get; private init; }

    /// <summary>The activity that led to it; empty for none.</summary>
    public Guid RelatedActivityId { get; private init; }

    /// <summary>W3C trace id, 32 hexadecimal digits; empty for none.</summary>
    public string TraceId { get; private init; } = "";

    /// <summary>W3C span id, 16 hexadecimal digits; empty for none.</summary>
    public string SpanId { get; private init; } = "";

    /// <summary>Labels with their own names; a value is text or a number (<see cref="long"/>).</summary>
    public IReadOnlyList<(string Name, object? Value)> Named { get; private init; } = [];

    /// <summary>Replaces the opcode of the event's kind; null for none.</summary>
    private byte? Opcode { get; init; }

    /// <summary>Replaces the keywords of the event's kind; null for none.</summary>
    private long? Keywords { get; init; }

    /// <summary>Replaces the level of the event's kind; null for none.</summary>
    private byte? Level { get; init; }

    /// <summary>Replaces the version of the event's kind; null for none.</summary>
    private byte? Version { get; init; }

    /// <summary>Whether there is more than activities and header fields.</summary>
    public bool HasContents => TraceId.Length > 0 || SpanId.Length > 0 || Named.Count > 0;

    /// <summary>Whether <see cref="Override"/> changes anything.</summary>
    public bool Overrides => (Opcode ?? Level ?? Version) is not null || Keywords is not null;

    private enum Kind : byte
    {
        ActivityId = 1,
        RelatedActivityId = 2,
        TraceId = 3,
        SpanId = 4,
        Text = 5,
        Number = 6,
        Opcode = 7,
        Keywords = 8,
        Level = 9,
        Version = 10,
    }

    /// <summary>The kind of an event with its labels' changes.</summary>
    public NetTraceEventType Override(NetTraceEventType type) =>
        type with
        {
            Opcode = Opcode ?? type.Opcode,
            Keywords = Keywords ?? type.Keywords,
            Level = Level ?? type.Level,
            Version = Version ?? type.Version,
        };

    /// <summary>Reads a list.</summary>
    /// <param name="reader">Positioned at the list; afterwards positioned after it.</param>
    /// <param name="labels">The list; null when it has an unknown kind of label, after which nothing is readable.</param>
    /// <returns>False when the list exceeds the block.</returns>
    public static bool TryRead(ref PayloadReader reader, out EventLabels? labels)
    {
        var list = new EventLabels();
        List<(string Name, object? Value)> named = [];
        byte kind;
        do
        {
            kind = reader.Byte();
            switch ((Kind)(kind & ~IsLast))
            {
                case Kind.ActivityId:
                    list = list with { ActivityId = reader.Guid() };
                    break;
                case Kind.RelatedActivityId:
                    list = list with { RelatedActivityId = reader.Guid() };
                    break;
                case Kind.TraceId:
                    list = list with { TraceId = Convert.ToHexStringLower(reader.Bytes(16)) };
                    break;
                case Kind.SpanId:
                    list = list with { SpanId = reader.Int64().ToString("x16", System.Globalization.CultureInfo.InvariantCulture) };
                    break;
                case Kind.Text:
                    named.Add((reader.Utf8Text(), reader.Utf8Text()));
                    break;
                case Kind.Number:
                    named.Add((reader.Utf8Text(), reader.SignedVariable()));
                    break;
                case Kind.Opcode:
                    list = list with { Opcode = reader.Byte() };
                    break;
                case Kind.Keywords:
                    list = list with { Keywords = reader.Int64() };
                    break;
                case Kind.Level:
                    list = list with { Level = reader.Byte() };
                    break;
                case Kind.Version:
                    list = list with { Version = reader.Byte() };
                    break;
                default:
                    labels = null;
                    return reader.Fits;
            }
        } while (reader.Fits && (kind & IsLast) == 0);
        labels = list with { Named = named };
        return reader.Fits;
    }
}
