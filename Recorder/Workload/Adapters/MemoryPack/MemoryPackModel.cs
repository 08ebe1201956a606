using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Adapters.MemoryPack;

/// <summary>Graphs of <see cref="MemoryPackShelf"/>.</summary>
public sealed class MemoryPackModel : BookGraphModel<MemoryPackShelf>
{
    /// <inheritdoc/>
    protected override MemoryPackShelf CreateGraph(int objectCount, int payloadBytes)
    {
        var books = new List<MemoryPackBook>(objectCount);
        for (var id = 1; id <= objectCount; id++)
            books.Add(
                new MemoryPackBook
                {
                    Id = id,
                    Title = BookContent.Title(id),
                    Payload = payloadBytes > 0 ? BookContent.Payload(id, payloadBytes) : null,
                }
            );
        return new MemoryPackShelf { Title = BookContent.ShelfTitle, Books = books };
    }

    /// <inheritdoc/>
    protected override long TouchGraph(MemoryPackShelf graph)
    {
        long sum = graph.Title.Length;
        foreach (var book in graph.Books)
            sum += book.Id + book.Title.Length + (book.Payload?.Length ?? 0);
        return sum;
    }

    /// <inheritdoc/>
    protected override string? ShelfTitle(MemoryPackShelf graph) => graph.Title;

    /// <inheritdoc/>
    protected override int BookCount(MemoryPackShelf graph) => graph.Books.Count;

    /// <inheritdoc/>
    protected override BookView Book(MemoryPackShelf graph, int index)
    {
        var book = graph.Books[index];
        return new BookView(book.Id, book.Title, new ArraySegment<byte>(book.Payload ?? []));
    }
}
