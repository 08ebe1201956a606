using System.Globalization;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Memory that a serializer holds while it writes.</summary>
public sealed class HeldMemoryFeature()
    : Feature(
        "held-memory",
        BehaviourFeatures.Group,
        "memory held while writing",
        "The suite's data of 50,000 objects with 40 bytes of payload: the largest size of objects other than the graph that are alive after a full GC, measured when 64 KB, 128 KB, 256 KB … have been written, in percent of all bytes written."
    )
{
    private const int FirstLook = 64 << 10;

    /// <inheritdoc/>
    public override bool UsesSuiteData => true;

    /// <inheritdoc/>
    public override FeatureCell Try(FeatureTrial trial)
    {
        ArgumentNullException.ThrowIfNull(trial);
        var (serializer, model) = trial.ConstructForSuiteData();

        // One-time allocations are not held for this graph.
        using (var warmUp = new WatchedStream(_ => { }))
            FeatureTrial.WriteTo(serializer, warmUp, model.Create(objectCount: 10, payloadBytes: 40));
        var graph = model.Create(objectCount: 50_000, payloadBytes: 40);
        var before = GC.GetTotalMemory(forceFullCollection: true);
        long next = FirstLook;
        long max = 0;
        using var stream = new WatchedStream(count =>
        {
            if (count < next)
                return;
            max = Math.Max(max, GC.GetTotalMemory(forceFullCollection: true) - before);
            while (next <= count)
                next *= 2;
        });
        FeatureTrial.WriteTo(serializer, stream, graph);
        GC.KeepAlive(graph);
        var percent = 100.0 * max / stream.ByteCount;
        return new FeatureCell(percent is > 0 and < 1 ? "< 1 %" : string.Create(CultureInfo.InvariantCulture, $"{percent:N0} %"));
    }
}
