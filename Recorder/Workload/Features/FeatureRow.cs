using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Features;

/// <summary>Results of a serializer.</summary>
/// <param name="Serializer">Its name.</param>
/// <param name="Library">Assembly that implements it.</param>
/// <param name="LibraryVersion">Version of that assembly.</param>
/// <param name="Cells">A cell per feature, by <see cref="Feature.Key"/>.</param>
public sealed record FeatureRow(string Serializer, string Library, string LibraryVersion, IReadOnlyDictionary<string, FeatureCell> Cells)
{
    /// <summary>Creates the row of a serializer.</summary>
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

/// <summary>Results of several serializers and their environment.</summary>
/// <param name="Features">The features, grouped.</param>
/// <param name="Rows">A row per serializer.</param>
/// <param name="Place">Runtime and system.</param>
/// <param name="MeasuredUtc">Time of the measurement.</param>
public sealed record FeatureTable(
    IReadOnlyList<Feature> Features,
    IReadOnlyList<FeatureRow> Rows,
    FeaturePlace Place,
    DateTime MeasuredUtc
);
