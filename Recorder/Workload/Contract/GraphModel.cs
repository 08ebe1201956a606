namespace EtwSerializerProfiler.Contract;

/// <summary>A type of object graph: creates, touches and compares graphs of it. Most serializers share one; a serializer with generated types has its own.</summary>
/// <remarks>Derive from <see cref="GraphModel{TGraph}"/>.</remarks>
public abstract class GraphModel
{
    /// <summary>Type of the root object.</summary>
    public abstract Type GraphType { get; }

    /// <summary>A new graph, the same in every process.</summary>
    /// <param name="objectCount">Objects below the root.</param>
    /// <param name="payloadBytes">Extra bytes in each object, 0 for none. A model without payload ignores it.</param>
    public abstract object Create(int objectCount, int payloadBytes);

    /// <summary>Visits every object, so that a serializer which defers work has to do it.</summary>
    /// <returns>A sum over what the objects hold: a use of them that no compiler can leave out.</returns>
    public abstract long Touch(object graph);

    /// <summary>Compares two graphs in every value.</summary>
    /// <returns>The first difference in words, null when there is none.</returns>
    public abstract string? Difference(object expected, object actual);
}
