using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>How a serializer treats stream, memory and threads.</summary>
internal static class BehaviourFeatures
{
    /// <summary>Name of the table.</summary>
    public const string Group = "Streams and threads";

    public static IReadOnlyList<Feature> All { get; } =
    [new DataFormatFeature(), new StreamingFeature(), new HeldMemoryFeature(), new ClosesStreamFeature(), new ThreadSafetyFeature()];
}

/// <summary>Whether the caller's stream is closed.</summary>
public sealed class ClosesStreamFeature()
    : Feature(
        "closes-stream",
        BehaviourFeatures.Group,
        "closes the stream",
        "Whether writing or reading, as the suite calls the serializer, closes the caller's stream."
    )
{
    /// <inheritdoc/>
    public override bool UsesSuiteData => true;

    /// <inheritdoc/>
    public override FeatureCell Try(FeatureTrial trial)
    {
        ArgumentNullException.ThrowIfNull(trial);
        var (serializer, model) = trial.ConstructForSuiteData();
        using var written = FeatureTrial.Write(serializer, model.Create(objectCount: 3, payloadBytes: 4));
        var onWriting = written.IsClosed;
        using var read = written.Reopen();
        _ = FeatureTrial.Read<object>(serializer, read);
        return (onWriting, read.IsClosed) switch
        {
            (true, true) => new FeatureCell(FeatureCell.Yes),
            (true, false) => new FeatureCell("on writing"),
            (false, true) => new FeatureCell("on reading"),
            _ => new FeatureCell(FeatureCell.No),
        };
    }
}

/// <summary>Text or binary, determined from the bytes.</summary>
public sealed class DataFormatFeature()
    : Feature(
        "format",
        BehaviourFeatures.Group,
        "data format",
        "The suite's data of 200 objects with 40 bytes of payload each: text when the bytes are valid UTF-8 without control characters other than tab and line breaks."
    )
{
    /// <inheritdoc/>
    public override bool UsesSuiteData => true;

    /// <inheritdoc/>
    public override FeatureCell Try(FeatureTrial trial)
    {
        ArgumentNullException.ThrowIfNull(trial);
        var (serializer, model) = trial.ConstructForSuiteData();
        using var written = FeatureTrial.Write(serializer, model.Create(objectCount: 200, payloadBytes: 40));
        try
        {
            var text = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true).GetString(written.Bytes());
            return new FeatureCell(
                text.Any(character => char.IsControl(character) && character is not ('\t' or '\r' or '\n')) ? "binary" : "text"
            );
        }
        catch (DecoderFallbackException)
        {
            return new FeatureCell("binary");
        }
    }
}

/// <summary>Whether the serializer writes the first bytes before it has enumerated the whole graph.</summary>
public sealed class StreamingFeature()
    : Feature(
        "streaming",
        BehaviourFeatures.Group,
        "writes while enumerating",
        "A collection that creates its 20,000 items (about 1.5 MB) during enumeration: yes when the stream gets its first bytes before the last item."
    )
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
            // A declaration of format or version at the start does not count as data.
            if (itemAtFirstWrite < 0 && lastItem > 0 && count > 0)
                itemAtFirstWrite = lastItem;
        });
        FeatureTrial.WriteTo(
            serializer,
            stream,
            new CollectionData.LazyShelf { Items = new CollectionData.LazyItems(Items, item => lastItem = item) }
        );
        if (lastItem < 0)
            return FeatureCell.Failed("it writes the collection's fields instead of enumerating it");
        if (lastItem < Items - 1)
            return FeatureCell.Failed(
                string.Create(CultureInfo.InvariantCulture, $"it enumerates only {lastItem + 1:N0} of {Items:N0} items")
            );
        return itemAtFirstWrite < 0 || itemAtFirstWrite == Items - 1
            ? FeatureCell.Failed("the first bytes come after the last item")
            : FeatureCell.Worked();
    }
}
