using CsvHelper;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Features;

/// <summary>A cell of the feature table, as <c>esp-record features --format csv</c> writes it.</summary>
/// <param name="Serializer">The serializer.</param>
/// <param name="Group">Group of the feature.</param>
/// <param name="Key">Key of the feature.</param>
/// <param name="Feature">Its title.</param>
/// <param name="Seen">What was seen: yes, no, opt-in or a value.</param>
/// <param name="Detail">Why; empty for none.</param>
/// <param name="Runtime">Runtime of the trial.</param>
public sealed record FeatureCell(string Serializer, string Group, string Key, string Feature, string Seen, string Detail, string Runtime)
{
    private static readonly string[] s_required = ["serializer", "group", "key", "feature", "seen", "detail", "runtime"];
    private static readonly string[] s_optional = ["library", "version", "system", "measured_utc"];

    /// <summary>Assembly of the serializer and its version; empty when the file has neither.</summary>
    public string Library { get; init; } = "";

    /// <summary>System of the trial; empty when the file does not have it.</summary>
    public string System { get; init; } = "";

    /// <summary>When the features were tried, ISO 8601; empty when the file does not have it.</summary>
    public string MeasuredUtc { get; init; } = "";

    /// <summary>Whether it works without an option of the serializer.</summary>
    public bool IsYes => Seen == "yes";

    /// <summary>Whether it works, perhaps with an option of the serializer.</summary>
    public bool Works => IsYes || Seen == "opt-in";

    /// <summary>Reads the cells of a file.</summary>
    /// <exception cref="TraceFormatException">It is not a feature table.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static IReadOnlyList<FeatureCell> Read(string path)
    {
        using var file = File.OpenRead(path);
        return Read(file, path);
    }

    /// <summary>Reads cells.</summary>
    /// <param name="stream">CSV.</param>
    /// <param name="path">Where it is from, for errors.</param>
    /// <exception cref="TraceFormatException">It is not a feature table.</exception>
    public static IReadOnlyList<FeatureCell> Read(Stream stream, string path)
    {
        try
        {
            using var csv = CsvReader.Create(stream, CsvReaderOptions.Default with { Separator = ',', MaxRecordSize = 1 << 20 });
            csv.ReadHeader();
            var required = Array.ConvertAll(
                s_required,
                column => csv.TryGetFieldIndex(column, out var index) ? index : throw NoTable(path, $"there is no column '{column}'")
            );
            var optional = Array.ConvertAll(s_optional, column => csv.TryGetFieldIndex(column, out var index) ? index : int.MaxValue);
            var cells = new List<FeatureCell>();
            while (csv.Read())
            {
                var cell = Array.ConvertAll(required, Field);
                var more = Array.ConvertAll(optional, Field);
                cells.Add(
                    new FeatureCell(cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], cell[6])
                    {
                        Library = $"{more[0]} {more[1]}".Trim(),
                        System = more[2],
                        MeasuredUtc = more[3],
                    }
                );
            }

            return cells.Count > 0 ? cells : throw NoTable(path, "it has no rows");

            string Field(int index) => index < csv.FieldCount ? csv.GetString(index) : "";
        }
        catch (CsvFormatException exception)
        {
            throw NoTable(path, exception.Message.Split('\n')[0].Trim());
        }
    }

    private static TraceFormatException NoTable(string path, string found) =>
        new(path, null, "a feature table (CSV)", found, "delete the file and try the features again");
}
