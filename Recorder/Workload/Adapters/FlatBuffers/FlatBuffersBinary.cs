using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using Google.FlatBuffers;

namespace EtwSerializerProfiler.Adapters.FlatBuffers;

/// <summary>Google.FlatBuffers: builds tables from objects, and reads them as views of the bytes.</summary>
/// <remarks>
/// Calls the same methods as flatc's generated code (StartTable, AddOffset, __offset, ...) by hand, because two tables need no compiler.
/// Writing converts the objects, as in a program that keeps its own objects. Reading copies the stream into an array and visits every
/// member once, as in SerializerTests: an unused view would cost nothing. A byte vector is written in one block. A missing payload needs no
/// space.
/// </remarks>
[SuiteSerializer(
    "FlatBuffers",
    DataFormat.Binary,
    Library = "Google.FlatBuffers",
    Model = typeof(FlatBuffersModel),
    Notes = "Reading visits every member once; the result is a view of the bytes."
)]
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
        var written = builder.DataBuffer.ToArraySegment(
            builder.DataBuffer.Position,
            builder.DataBuffer.Length - builder.DataBuffer.Position
        );
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

    /// <returns>Offset of the vector; 0, which means an absent field, when there are no bytes.</returns>
    private static int Vector(FlatBufferBuilder builder, ArraySegment<byte> bytes)
    {
        if (bytes.Count == 0)
            return 0;
        builder.StartVector(sizeof(byte), bytes.Count, sizeof(byte));
        builder.Add(bytes);
        return builder.EndVector().Value;
    }
}
