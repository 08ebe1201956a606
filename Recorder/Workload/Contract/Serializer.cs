namespace EtwSerializerProfiler.Contract;

/// <summary>
/// A serializer to measure. The constructor does what a program does once before its first call; a first-call run includes it.
/// </summary>
public abstract class Serializer
{
    /// <summary>Writes <paramref name="graph"/> at the position of <paramref name="stream"/> and leaves the stream open.</summary>
    public abstract void Serialize(Stream stream, object graph);

    /// <summary>Reads a graph from the position of <paramref name="stream"/> to its end and leaves the stream open.</summary>
    public abstract object Deserialize(Stream stream);
}
