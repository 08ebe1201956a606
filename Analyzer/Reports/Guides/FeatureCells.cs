using CsvHelper;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Guides;

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
    /// <summary>Whether it works without an option of the serializer.</summary>
    public bool IsYes => Seen == "yes";

    /// <summary>Whether it works, perhaps with an option of the serializer.</summary>
    public bool Works => IsYes || Seen == "opt-in";

    /// <summary>Reads the cells of a file.</summary>
    /// <exception cref="TraceFormatException">It is no feature table.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static IReadOnlyList<FeatureCell> Read(string path)
    {
        string[] columns = ["serializer", "group", "key", "feature", "seen", "detail", "runtime"];
        try
        {
            using var stream = File.OpenRead(path);
            using var csv = CsvReader.Create(stream, CsvReaderOptions.Default with { Separator = ',', MaxRecordSize = 1 << 20 });
            csv.ReadHeader();
            var fields = Array.ConvertAll(
                columns,
                column => csv.TryGetFieldIndex(column, out var index) ? index : throw NoTable(path, $"there is no column '{column}'")
            );
            var cells = new List<FeatureCell>();
            while (csv.Read())
            {
                var cell = Array.ConvertAll(fields, field => field < csv.FieldCount ? csv.GetString(field) : "");
                cells.Add(new FeatureCell(cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], cell[6]));
            }

            return cells.Count > 0 ? cells : throw NoTable(path, "it has no rows");
        }
        catch (CsvFormatException exception)
        {
            throw NoTable(path, exception.Message.Split('\n')[0].Trim());
        }
    }

    private static TraceFormatException NoTable(string path, string found) =>
        new(path, null, "a feature table (CSV)", found, "delete the file, so that the guide tries the features again");
}
