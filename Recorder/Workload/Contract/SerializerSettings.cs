namespace EtwSerializerProfiler.Contract;

/// <summary>
/// Settings for constructing a serializer. A serializer class that supports them has a constructor with this single parameter.
/// </summary>
public sealed class SerializerSettings
{
    /// <summary>The default settings.</summary>
    public static readonly SerializerSettings Default = new();

    /// <summary>Whether objects that are referenced more than once are written once and read back as one.</summary>
    public bool ReferenceTracking { get; init; }

    /// <summary>Types that may occur where a base type or interface is declared, for serializers that need to know them.</summary>
    public IReadOnlyList<Type> KnownTypes { get; init; } = [];
}
