using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Contract;

/// <summary>
/// Creates, touches and compares graphs of <typeparamref name="TGraph"/>. <c>-data</c> looks for a public class that derives from it.
/// </summary>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
public abstract class GraphModel<TGraph> : GraphModel
    where TGraph : class
{
    /// <inheritdoc/>
    public sealed override Type GraphType => typeof(TGraph);

    /// <inheritdoc/>
    public sealed override object Create(int objectCount, int payloadBytes) => CreateGraph(objectCount, payloadBytes);

    /// <inheritdoc/>
    /// <remarks>Never inlined, so that its frame separates the benchmark's touching from the serializer's work.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public sealed override long Touch(object graph) => TouchGraph((TGraph)graph);

    /// <inheritdoc/>
    public sealed override string? Difference(object expected, object actual) =>
        actual is TGraph graph
            ? GraphDifference((TGraph)expected, graph)
            : $"a {actual?.GetType().FullName ?? "null"} came back, not a {typeof(TGraph).FullName}";

    /// <inheritdoc cref="Create"/>
    protected abstract TGraph CreateGraph(int objectCount, int payloadBytes);

    /// <inheritdoc cref="Touch"/>
    protected virtual long TouchGraph(TGraph graph) => 0;

    /// <summary>Compares two graphs; by default all their public properties and fields, and collections item by item.</summary>
    /// <returns>The first difference as text; null when there is none.</returns>
    protected virtual string? GraphDifference(TGraph expected, TGraph actual) => StructuralDifference.Find(expected, actual);
}
