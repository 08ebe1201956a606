namespace EtwSerializerProfiler.Analysis.Catalog;

/// <summary>A serializer of a suite, as it appears on stacks.</summary>
/// <param name="Name">Its name on screen and in traces.</param>
/// <param name="EntryType">Full name of the type whose methods call it; a generic type ends with its backtick, without the number.</param>
/// <param name="SerializeMethod">The method of this type that writes.</param>
/// <param name="DeserializeMethod">The method of this type that reads.</param>
public sealed record CatalogEntry(string Name, string EntryType, string SerializeMethod, string DeserializeMethod)
{
    /// <summary>
    /// Whether it reads lazily: it decodes members when they are touched, so that touching is the serializer's work, too.
    /// </summary>
    public bool IsLazy { get; init; }

    /// <summary>
    /// For a lazy serializer, the type and method that touch only its graphs; null when all serializers share the frames.
    /// </summary>
    public string? TouchMethod { get; init; }
}
