namespace EtwSerializerProfiler.Etl;

/// <summary>An extended item of an event, as a view over the event's bytes.</summary>
public readonly ref struct EtlExtendedItem
{
    internal EtlExtendedItem(EtlExtendedType type, ReadOnlySpan<byte> data)
    {
        Type = type;
        Data = data;
    }

    /// <summary>Kind of the item; an unnamed number for kinds newer than this library.</summary>
    public EtlExtendedType Type { get; }

    /// <summary>Its bytes.</summary>
    public ReadOnlySpan<byte> Data { get; }
}
