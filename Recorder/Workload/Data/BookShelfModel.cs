namespace EtwSerializerProfiler.Workload.Data;

/// <summary>Graphs of <see cref="BookShelf"/>.</summary>
public sealed class BookShelfModel : BookGraphModel<BookShelf>
{
    /// <inheritdoc/>
    protected override BookShelf CreateGraph(int objectCount, int payloadBytes)
    {
        var books = new List<Book>(objectCount);
        for (var id = 1; id <= objectCount; id++)
            books.Add(
                new Book
                {
                    Id = id,
                    Title = BookContent.Title(id),
                    Payload = payloadBytes > 0 ? BookContent.Payload(id, payloadBytes) : null,
                }
            );
        return new BookShelf { Title = BookContent.ShelfTitle, Books = books };
    }

    /// <inheritdoc/>
    protected override long TouchGraph(BookShelf graph)
    {
        long sum = graph.Title.Length;
        foreach (var book in graph.Books)
            sum += book.Id + book.Title.Length + (book.Payload?.Length ?? 0);
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
        return new BookView(book.Id, book.Title, new ArraySegment<byte>(book.Payload ?? []));
    }
}
