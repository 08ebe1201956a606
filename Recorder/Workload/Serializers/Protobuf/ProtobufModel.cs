using System.Runtime.InteropServices;
using EtwSerializerProfiler.Workload.Data;
using Google.Protobuf;

namespace EtwSerializerProfiler.Workload.Serializers.Protobuf;

/// <summary>Graphs of the message types that protoc generates from bookshelf.proto.</summary>
public sealed class ProtobufModel : BookGraphModel<BookShelf>
{
    /// <inheritdoc/>
    protected override BookShelf CreateGraph(int objectCount, int payloadBytes)
    {
        var shelf = new BookShelf { Title = BookContent.ShelfTitle };
        shelf.Books.Capacity = objectCount;
        for (var id = 1; id <= objectCount; id++)
        {
            var payload = payloadBytes > 0 ? UnsafeByteOperations.UnsafeWrap(BookContent.Payload(id, payloadBytes)) : ByteString.Empty;
            shelf.Books.Add(new Book { Id = id, Title = BookContent.Title(id), Payload = payload });
        }

        return shelf;
    }

    /// <inheritdoc/>
    protected override long TouchGraph(BookShelf graph)
    {
        long sum = graph.Title.Length;
        foreach (var book in graph.Books)
            sum += book.Id + book.Title.Length + book.Payload.Length;
        return sum;
    }

    /// <inheritdoc/>
    protected override string? ShelfTitle(BookShelf graph) => graph.Title;

    /// <inheritdoc/>
    protected override int BookCount(BookShelf graph) => graph.Books.Count;

    /// <inheritdoc/>
    protected override BookView Book(BookShelf graph, int index)
    {
        var book = graph.Books[index];
        return new BookView(book.Id, book.Title, MemoryMarshal.TryGetArray(book.Payload.Memory, out var payload) ? payload : new ArraySegment<byte>(book.Payload.ToByteArray()));
    }
}
