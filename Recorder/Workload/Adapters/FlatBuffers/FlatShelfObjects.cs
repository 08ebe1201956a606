using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Adapters.FlatBuffers;

/// <summary>The graph as objects, for writing.</summary>
/// <param name="shelf">The objects.</param>
public sealed class FlatShelfObjects(BookShelf shelf) : FlatShelf
{
    /// <inheritdoc/>
    public override string? Title => shelf.Title;

    /// <inheritdoc/>
    public override int BookCount => shelf.Books.Count;

    /// <inheritdoc/>
    public override BookView Book(int index)
    {
        var book = shelf.Books[index];
        return new BookView(book.Id, book.Title, new ArraySegment<byte>(book.Payload ?? []));
    }
}
