using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Features.Tables;

/// <summary>Writes a feature table in one of the formats.</summary>
public static class FeatureTableWriter
{
    /// <summary>Writes it.</summary>
    public static void Write(FeatureTable table, FeatureFormat format, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(table);
        ArgumentNullException.ThrowIfNull(output);
        switch (format)
        {
            case FeatureFormat.Markdown:
                MarkdownFeatureWriter.Write(table, output);
                break;
            case FeatureFormat.Csv:
                CsvFeatureWriter.Write(table, output);
                break;
            default:
                TextFeatureWriter.Write(table, output);
                break;
        }
    }
}
