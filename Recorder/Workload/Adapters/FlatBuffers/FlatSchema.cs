namespace EtwSerializerProfiler.Adapters.FlatBuffers;

/// <summary>
/// Numbers of the tables' fields as <c>flatc</c> would assign them: a shelf has title and books; a book has id, title and payload.
/// </summary>
internal static class FlatSchema
{
    /// <summary>Fields of a shelf.</summary>
    public const int ShelfFields = 2;

    /// <summary>Field of a shelf: string.</summary>
    public const int ShelfTitle = 0;

    /// <summary>Field of a shelf: vector of tables.</summary>
    public const int ShelfBooks = 1;

    /// <summary>Fields of a book.</summary>
    public const int BookFields = 3;

    /// <summary>Field of a book: 32-bit integer.</summary>
    public const int BookId = 0;

    /// <summary>Field of a book: string.</summary>
    public const int BookTitle = 1;

    /// <summary>Field of a book: vector of bytes.</summary>
    public const int BookPayload = 2;

    /// <summary>Offset of a field in a vtable: after two lengths of 2 bytes each.</summary>
    public static int EntryOf(int field) => (2 + field) * sizeof(short);
}
