namespace EtwSerializerProfiler.Workload.Features;

/// <summary>What was seen of several serializers, and where.</summary>
/// <param name="Features">The features, those of one group next to each other.</param>
/// <param name="Rows">A row a serializer.</param>
/// <param name="Place">Runtime and system.</param>
/// <param name="MeasuredUtc">When.</param>
public sealed record FeatureTable(IReadOnlyList<Feature> Features, IReadOnlyList<FeatureRow> Rows, FeaturePlace Place, DateTime MeasuredUtc);
