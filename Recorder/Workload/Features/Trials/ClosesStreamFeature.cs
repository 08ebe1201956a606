namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Whether the caller's stream is closed.</summary>
public sealed class ClosesStreamFeature() : Feature("closes-stream", BehaviourFeatures.Group, "closes the stream", "Whether the caller's stream was closed by writing to it or reading from it, as the suite calls the serializer.")
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
