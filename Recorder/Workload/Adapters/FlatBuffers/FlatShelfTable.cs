using EtwSerializerProfiler.Workload.Data;
using Google.FlatBuffers;

namespace EtwSerializerProfiler.Adapters.FlatBuffers;

/// <summary>The graph as a view of its bytes, after reading. Every access creates its string or array again.</summary>
public sealed class FlatShelfTable : FlatShelf
{
    private readonly Table _shelf;

    /// <summary>Creates a view of a shelf's bytes; reads nothing.</summary>
    public FlatShelfTable(byte[] bytes)
    {
        var buffer = new ByteBuffer(bytes);
        _shelf = new Table(buffer.GetInt(buffer.Position) + buffer.Position, buffer);
    }

    /// <inheritdoc/>
    public override string? Title => Text(_shelf, FlatSchema.ShelfTitle);

    /// <inheritdoc/>
    public override int BookCount =>
        _shelf.__offset(FlatSchema.EntryOf(FlatSchema.ShelfBooks)) is var books and not 0 ? _shelf.__vector_len(books) : 0;

    /// <inheritdoc/>
    public override BookView Book(int index)
    {
        var books = _shelf.__vector(_shelf.__offset(FlatSchema.EntryOf(FlatSchema.ShelfBooks)));
        var book = new Table(_shelf.__indirect(books + (index * sizeof(int))), _shelf.bb);
        var id = book.__offset(FlatSchema.EntryOf(FlatSchema.BookId)) is var at and not 0 ? book.bb.GetInt(at + book.bb_pos) : 0;
        return new BookView(
            id,
            Text(book, FlatSchema.BookTitle),
            new ArraySegment<byte>(book.__vector_as_array<byte>(FlatSchema.EntryOf(FlatSchema.BookPayload)) ?? [])
        );
    }

    private static string? Text(Table table, int field) =>
        table.__offset(FlatSchema.EntryOf(field)) is var at and not 0 ? table.__string(at + table.bb_pos) : null;
}
