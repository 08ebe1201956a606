namespace EtwSerializerProfiler.Contract;

/// <summary>
/// Model of an object graph: creates, touches and compares graphs of one type. Most serializers share one model; a serializer with
/// generated types has its own.
/// </summary>
/// <remarks>Derive from <see cref="GraphModel{TGraph}"/>.</remarks>
public abstract class GraphModel
{
    /// <summary>Type of the root object.</summary>
    public abstract Type GraphType { get; }

    /// <summary>Creates a graph, which is the same in every process.</summary>
    /// <param name="objectCount">Number of objects below the root.</param>
    /// <param name="payloadBytes">Extra bytes in each object; 0 for none. A model without payload ignores it.</param>
    public abstract object Create(int objectCount, int payloadBytes);

    /// <summary>Visits every object, which forces serializers with deferred reading to do their work.</summary>
    /// <returns>A sum over the objects' content, so that the compiler cannot remove the visits.</returns>
    public abstract long Touch(object graph);

    /// <summary>Compares all values of two graphs.</summary>
    /// <returns>The first difference as text; null when there is none.</returns>
    public abstract string? Difference(object expected, object actual);
}
