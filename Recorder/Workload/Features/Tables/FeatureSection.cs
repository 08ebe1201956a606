namespace EtwSerializerProfiler.Workload.Features.Tables;

/// <summary>The table of one group of features.</summary>
/// <param name="Title">Name of the group.</param>
/// <param name="Headers">First column's header, then a title a feature.</param>
/// <param name="Rows">A serializer's name, then its cells with numbers of notes.</param>
/// <param name="OwnTypesOnly">Serializers that take only types of their own, and have no row.</param>
public sealed record FeatureSection(string Title, IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows, IReadOnlyList<string> OwnTypesOnly);
