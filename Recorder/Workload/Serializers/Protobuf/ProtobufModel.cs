using EtwSerializerProfiler.Workload.Data;
using Google.Protobuf;

namespace EtwSerializerProfiler.Workload.Serializers.Protobuf;

/// <summary>Graphs of the message types that protoc generates from bookshelf.proto.</summary>
public sealed class ProtobufModel : GraphModel
{
    /// <inheritdoc/>
    public override object Create(int objectCount, int payloadBytes)
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
    public override long Touch(object graph)
    {
        var shelf = (BookShelf)graph;
        long sum = shelf.Title.Length;
        foreach (var book in shelf.Books)
            sum += book.Id + book.Title.Length + book.Payload.Length;
        return sum;
    }

    /// <inheritdoc/>
    protected override string? ShelfTitle(object graph) => ((BookShelf)graph).Title;

    /// <inheritdoc/>
    protected override int BookCount(object graph) => ((BookShelf)graph).Books.Count;

    /// <inheritdoc/>
    protected override BookView Book(object graph, int index)
    {
        var book = ((BookShelf)graph).Books[index];
        return new BookView(book.Id, book.Title, book.Payload.Memory);
    }
}
