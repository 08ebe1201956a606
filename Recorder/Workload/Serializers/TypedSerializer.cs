namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>Base of a serializer whose graph has a type that is known when it is compiled.</summary>
/// <remarks>
/// Both methods of a serializer are never inlined: their frames tell in a stack where its work begins (<c>SuiteCatalog</c>). A test holds every serializer to it.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
public abstract class TypedSerializer<TGraph> : Serializer
    where TGraph : class
{
    /// <inheritdoc/>
    public sealed override void Serialize(Stream stream, object graph) => Serialize(stream, (TGraph)graph);

    /// <inheritdoc/>
    public sealed override object Deserialize(Stream stream)
        => Read(stream) ?? throw new InvalidDataException("The serializer returned null instead of the object graph.");

    /// <summary>Writes <paramref name="graph"/> and leaves the stream open.</summary>
    protected abstract void Serialize(Stream stream, TGraph graph);

    /// <summary>Reads a graph and leaves the stream open.</summary>
    protected abstract TGraph? Read(Stream stream);
}
