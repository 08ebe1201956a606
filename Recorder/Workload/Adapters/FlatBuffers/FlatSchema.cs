namespace EtwSerializerProfiler.Adapters.FlatBuffers;

/// <summary>The tables' fields by number, as <c>flatc</c> would number them: a shelf has a title and books, a book an id, a title and payload.</summary>
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

    /// <summary>Place of a field in a vtable: behind two lengths, 2 bytes each.</summary>
    public static int EntryOf(int field) => (2 + field) * sizeof(short);
}
