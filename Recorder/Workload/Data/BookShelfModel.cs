namespace EtwSerializerProfiler.Workload.Data;

/// <summary>Graphs of <see cref="BookShelf"/>.</summary>
public sealed class BookShelfModel : GraphModel
{
    /// <inheritdoc/>
    public override object Create(int objectCount, int payloadBytes)
    {
        var books = new List<Book>(objectCount);
        for (var id = 1; id <= objectCount; id++)
            books.Add(new Book { Id = id, Title = BookContent.Title(id), Payload = payloadBytes > 0 ? BookContent.Payload(id, payloadBytes) : null });
        return new BookShelf { Title = BookContent.ShelfTitle, Books = books };
    }

    /// <inheritdoc/>
    public override long Touch(object graph)
    {
        var shelf = (BookShelf)graph;
        long sum = shelf.Title.Length;
        foreach (var book in shelf.Books)
            sum += book.Id + book.Title.Length + (book.Payload?.Length ?? 0);
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
        return new BookView(book.Id, book.Title, book.Payload);
    }
}
