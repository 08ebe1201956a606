using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Adapters.FlatBuffers;

/// <summary>Graphs of <see cref="FlatShelf"/>.</summary>
public sealed class FlatBuffersModel : BookGraphModel<FlatShelf>
{
    /// <inheritdoc/>
    protected override FlatShelf CreateGraph(int objectCount, int payloadBytes) =>
        new FlatShelfObjects((BookShelf)new BookShelfModel().Create(objectCount, payloadBytes));

    /// <inheritdoc/>
    protected override long TouchGraph(FlatShelf graph) => graph.Touch();

    /// <inheritdoc/>
    protected override string? ShelfTitle(FlatShelf graph) => graph.Title;

    /// <inheritdoc/>
    protected override int BookCount(FlatShelf graph) => graph.BookCount;

    /// <inheritdoc/>
    protected override BookView Book(FlatShelf graph, int index) => graph.Book(index);
}
