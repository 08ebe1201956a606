using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>Checks that a serializer reads what it has written.</summary>
public static class RoundTrip
{
    /// <summary>Writes a new graph, reads it back and compares.</summary>
    /// <returns>The first difference as text; null when there is none.</returns>
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

    /// <summary>Does this on several threads at once, which share the serializer and have their own graphs.</summary>
    /// <returns>The first difference of any thread; null when there is none.</returns>
    public static string? Difference(Serializer serializer, GraphModel model, int objectCount, int payloadBytes, int threadCount)
    {
        var differences = new string?[threadCount];
        using var team = new ThreadTeam([
            .. Enumerable
                .Range(0, threadCount)
                .Select(thread =>
                    (Func<long>)(
                        () =>
                        {
                            differences[thread] = Difference(serializer, model, objectCount, payloadBytes);
                            return -1;
                        }
                    )
                ),
        ]);
        team.WaitUntilReady();
        team.Run();
        return differences.FirstOrDefault(difference => difference is not null);
    }
}
