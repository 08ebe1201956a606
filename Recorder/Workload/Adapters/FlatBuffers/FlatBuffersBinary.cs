using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using Google.FlatBuffers;

namespace EtwSerializerProfiler.Adapters.FlatBuffers;

/// <summary>Google.FlatBuffers: tables built from objects, and read by looking into the bytes.</summary>
/// <remarks>
/// The calls that flatc's generated code makes (StartTable, AddOffset, __offset, ...), made here by hand: two tables need no compiler. Writing converts the objects, as a program does that
/// keeps objects of its own; reading copies the stream into an array and visits every member once, as in the classic suite: a view that nobody looks at would cost nothing.
/// A vector of bytes is written in one block. An absent payload takes no place.
/// </remarks>
[SuiteSerializer(
    "FlatBuffers", DataFormat.Binary, Library = "Google.FlatBuffers", Model = typeof(FlatBuffersModel),
    Notes = "Reading visits every member once; the result is a view of the bytes.")]
public sealed class FlatBuffersBinary : TypedSerializer<FlatShelf>
{
    private const int InitialBytes = 1024; // the builder doubles its buffer when it is full

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, FlatShelf graph)
    {
        var builder = new FlatBufferBuilder(InitialBytes);
        var books = new int[graph.BookCount];
        for (var i = 0; i < books.Length; i++)
        {
            var book = graph.Book(i);
            var bookTitle = builder.CreateString(book.Title);
            var payload = Vector(builder, book.Payload);
            builder.StartTable(FlatSchema.BookFields);
            builder.AddOffset(FlatSchema.BookPayload, payload, 0);
            builder.AddOffset(FlatSchema.BookTitle, bookTitle.Value, 0);
            builder.AddInt(FlatSchema.BookId, book.Id, 0);
            books[i] = builder.EndTable();
        }

        builder.StartVector(sizeof(int), books.Length, sizeof(int));
        for (var i = books.Length - 1; i >= 0; i--)
            builder.AddOffset(books[i]);
        var vector = builder.EndVector();
        var title = builder.CreateString(graph.Title);
        builder.StartTable(FlatSchema.ShelfFields);
        builder.AddOffset(FlatSchema.ShelfBooks, vector.Value, 0);
        builder.AddOffset(FlatSchema.ShelfTitle, title.Value, 0);
        builder.Finish(builder.EndTable());
        var written = builder.DataBuffer.ToArraySegment(builder.DataBuffer.Position, builder.DataBuffer.Length - builder.DataBuffer.Position);
        stream.Write(written.Array!, written.Offset, written.Count);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override FlatShelf? Read(Stream stream)
    {
        using var copy = new MemoryStream();
        stream.CopyTo(copy);
        var shelf = new FlatShelfTable(copy.ToArray());
        shelf.Touch();
        return shelf;
    }

    /// <summary>Writes bytes.</summary>
    /// <returns>Where they are; 0, which stands for an absent field, for none.</returns>
    private static int Vector(FlatBufferBuilder builder, ArraySegment<byte> bytes)
    {
        if (bytes.Count == 0)
            return 0;
        builder.StartVector(sizeof(byte), bytes.Count, sizeof(byte));
        builder.Add(bytes);
        return builder.EndVector().Value;
    }
}
