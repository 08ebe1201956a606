using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Features;

/// <summary>What was seen of a serializer.</summary>
/// <param name="Serializer">Its name.</param>
/// <param name="Library">Assembly that implements it.</param>
/// <param name="LibraryVersion">Version of that assembly.</param>
/// <param name="Cells">A cell a feature, by <see cref="Feature.Key"/>.</param>
public sealed record FeatureRow(string Serializer, string Library, string LibraryVersion, IReadOnlyDictionary<string, FeatureCell> Cells)
{
    /// <summary>A row of a described serializer.</summary>
    public static FeatureRow Of(SerializerDescription serializer, IReadOnlyDictionary<string, FeatureCell> cells)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        try
        {
            return new FeatureRow(serializer.Name, serializer.Library, serializer.LibraryVersion, cells);
        }
        catch (Exception exception) when (exception is IOException or BadImageFormatException or PluginException)
        {
            return new FeatureRow(serializer.Name, "-", "-", cells);
        }
    }
}

/// <summary>What was seen of several serializers, and where.</summary>
/// <param name="Features">The features, those of one group next to each other.</param>
/// <param name="Rows">A row a serializer.</param>
/// <param name="Place">Runtime and system.</param>
/// <param name="MeasuredUtc">When.</param>
public sealed record FeatureTable(IReadOnlyList<Feature> Features, IReadOnlyList<FeatureRow> Rows, FeaturePlace Place, DateTime MeasuredUtc);
