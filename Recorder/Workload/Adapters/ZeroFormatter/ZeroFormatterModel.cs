using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Adapters.ZeroFormatter;

/// <summary>Graphs of <see cref="ZeroFormatterShelf"/>.</summary>
public sealed class ZeroFormatterModel : BookGraphModel<ZeroFormatterShelf>
{
    /// <inheritdoc/>
    protected override ZeroFormatterShelf CreateGraph(int objectCount, int payloadBytes)
    {
        var books = new List<ZeroFormatterBook>(objectCount);
        for (var id = 1; id <= objectCount; id++)
            books.Add(
                new ZeroFormatterBook
                {
                    Id = id,
                    Title = BookContent.Title(id),
                    Payload = payloadBytes > 0 ? BookContent.Payload(id, payloadBytes) : null,
                }
            );
        return new ZeroFormatterShelf { Title = BookContent.ShelfTitle, Books = books };
    }

    /// <inheritdoc/>
    /// <remarks>Never inlined, so that its frame separates reading from the work of the benchmark.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override long TouchGraph(ZeroFormatterShelf graph)
    {
        long sum = graph.Title.Length;
        foreach (var book in graph.Books)
            sum += book.Id + book.Title.Length + (book.Payload?.Length ?? 0);
        return sum;
    }

    /// <inheritdoc/>
    protected override string? ShelfTitle(ZeroFormatterShelf graph) => graph.Title;

    /// <inheritdoc/>
    protected override int BookCount(ZeroFormatterShelf graph) => graph.Books.Count;

    /// <inheritdoc/>
    protected override BookView Book(ZeroFormatterShelf graph, int index)
    {
        var book = graph.Books[index];
        return new BookView(book.Id, book.Title, new ArraySegment<byte>(book.Payload ?? []));
    }
}
