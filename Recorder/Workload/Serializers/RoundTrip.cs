using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>Checks that what a serializer reads is what it wrote.</summary>
public static class RoundTrip
{
    /// <summary>Writes a new graph, reads it back and compares.</summary>
    /// <returns>The first difference in words, null when there is none.</returns>
    public static string? Difference(Serializer serializer, GraphModel model, int objectCount, int payloadBytes)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(model);
        var graph = model.Create(objectCount, payloadBytes);
        using var stream = new MemoryStream();
        serializer.Serialize(stream, graph);
        stream.Position = 0;
        return model.Difference(graph, serializer.Deserialize(stream));
    }
}
