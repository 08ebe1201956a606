using System.Globalization;
using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Whether the first bytes are written before the graph has been seen to its end.</summary>
public sealed class StreamingFeature() : Feature(
    "streaming", BehaviourFeatures.Group, "writes while enumerating", "A collection whose 20,000 items (1.5 MB or so) come into being while it is enumerated: yes when the stream gets its first bytes before the last item.")
{
    private const int Items = 20_000;

    /// <inheritdoc/>
    public override FeatureCell Try(FeatureTrial trial)
    {
        ArgumentNullException.ThrowIfNull(trial);
        var serializer = trial.Construct<CollectionData.LazyShelf>();
        var lastItem = -1;
        var itemAtFirstWrite = -1;
        using var stream = new WatchedStream(count =>
        {
            // A declaration of format or version at the start is not data.
            if (itemAtFirstWrite < 0 && lastItem > 0 && count > 0)
                itemAtFirstWrite = lastItem;
        });
        FeatureTrial.WriteTo(serializer, stream, new CollectionData.LazyShelf { Items = new CollectionData.LazyItems(Items, item => lastItem = item) });
        if (lastItem < 0)
            return FeatureCell.Failed("it does not enumerate the collection, but writes its fields");
        if (lastItem < Items - 1)
            return FeatureCell.Failed(string.Create(CultureInfo.InvariantCulture, $"it enumerates only {lastItem + 1:N0} of {Items:N0} items"));
        return itemAtFirstWrite < 0 || itemAtFirstWrite == Items - 1 ? FeatureCell.Failed("the first bytes come after the last item") : FeatureCell.Worked();
    }
}
