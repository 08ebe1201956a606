namespace EtwSerializerProfiler.Contract;

/// <summary>Base of a serializer with a graph type that is known at compile time, or when its generic class is closed.</summary>
/// <remarks>
/// Give both methods <c>[MethodImpl(MethodImplOptions.NoInlining)]</c>: their stack frames mark the beginning of the serializer's work. A
/// test checks this for every serializer of the suite.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
public abstract class TypedSerializer<TGraph> : Serializer
    where TGraph : class
{
    /// <inheritdoc/>
    public sealed override void Serialize(Stream stream, object graph) => Serialize(stream, (TGraph)graph);

    /// <inheritdoc/>
    public sealed override object Deserialize(Stream stream) =>
        Read(stream) ?? throw new InvalidDataException("The serializer returned null instead of the object graph.");

    /// <summary>Writes <paramref name="graph"/> and leaves the stream open.</summary>
    protected abstract void Serialize(Stream stream, TGraph graph);

    /// <summary>Reads a graph and leaves the stream open.</summary>
    protected abstract TGraph? Read(Stream stream);
}
