namespace EtwSerializerProfiler.Analysis.Catalog;

/// <summary>A serializer of a suite, as stacks show it.</summary>
/// <param name="Name">Its name on screen and in traces.</param>
/// <param name="EntryType">Full name of the type whose methods call it; a generic one with its backtick and without the number behind.</param>
/// <param name="SerializeMethod">The method of this type that writes.</param>
/// <param name="DeserializeMethod">The method of this type that reads.</param>
public sealed record CatalogEntry(string Name, string EntryType, string SerializeMethod, string DeserializeMethod)
{
    /// <summary>Whether it reads lazily: members are decoded when they are touched, which then is the serializer's work, too.</summary>
    public bool IsLazy { get; init; }

    /// <summary>Of a lazy serializer, the type and method in which its graphs and no others are touched; null when its frames are those of all serializers.</summary>
    public string? TouchMethod { get; init; }
}
