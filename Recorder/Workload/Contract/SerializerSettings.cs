namespace EtwSerializerProfiler.Contract;

/// <summary>What a serializer is asked for when it is constructed. A serializer class that can do it has a constructor with this one parameter.</summary>
public sealed class SerializerSettings
{
    /// <summary>Nothing special is asked for.</summary>
    public static readonly SerializerSettings Default = new();

    /// <summary>Objects that are referenced more than once are written once, and read back as one.</summary>
    public bool ReferenceTracking { get; init; }

    /// <summary>Types that may stand where a base type or interface is declared, for serializers that want to be told.</summary>
    public IReadOnlyList<Type> KnownTypes { get; init; } = [];
}
