using System.Globalization;

namespace EtwSerializerProfiler.Workload.Features.Tables;

/// <summary>Layout of a feature table: one table per group with serializers as rows, and numbered notes.</summary>
/// <param name="Sections">The tables.</param>
/// <param name="Notes">Notes, numbered from 1.</param>
/// <param name="Footer">Environment and time of the measurement.</param>
public sealed record FeatureReport(IReadOnlyList<FeatureSection> Sections, IReadOnlyList<string> Notes, IReadOnlyList<string> Footer)
{
    /// <summary>Meaning of the words in the cells.</summary>
    public const string Legend =
        "Every cell is the result of a trial, with classes that have Serializable, DataContract and DataMember(Order). opt-in: works with a setting of the serializer (reference tracking, known types). own types only: supports only types that were generated for it. [n]: note below.";

    /// <summary>Creates the layout of a table.</summary>
    public static FeatureReport Of(FeatureTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        var notes = new List<string>();
        var sections = table
            .Features.GroupBy(feature => feature.Group)
            .Select(group => Section(group.Key, [.. group], table.Rows, notes))
            .ToList();
        return new FeatureReport(sections, notes, Footing(table));
    }

    private static FeatureSection Section(string title, IReadOnlyList<Feature> features, IReadOnlyList<FeatureRow> rows, List<string> notes)
    {
        bool IsOut(FeatureRow row) => features.All(feature => row.Cells[feature.Key].Seen == FeatureCell.OwnTypesOnly);
        return new FeatureSection(
            title,
            ["Serializer", .. features.Select(feature => feature.Title)],
            [
                .. rows.Where(row => !IsOut(row))
                    .Select(row =>
                        (IReadOnlyList<string>)[row.Serializer, .. features.Select(feature => Text(row.Cells[feature.Key], notes))]
                    ),
            ],
            [.. rows.Where(IsOut).Select(row => row.Serializer)]
        );
    }

    private static string Text(FeatureCell cell, List<string> notes)
    {
        if (cell.Detail.Length == 0)
            return cell.Seen;
        var note = notes.IndexOf(cell.Detail);
        if (note < 0)
        {
            note = notes.Count;
            notes.Add(cell.Detail);
        }

        return string.Create(CultureInfo.InvariantCulture, $"{cell.Seen} [{note + 1}]");
    }

    private static IReadOnlyList<string> Footing(FeatureTable table) =>
        [
            string.Create(
                CultureInfo.InvariantCulture,
                $"Measured {table.MeasuredUtc:yyyy-MM-dd HH:mm} UTC on {table.Place.Runtime}, {table.Place.System}, time zone {table.Place.TimeZone}; a trial without an answer after {table.Place.LimitSeconds:0.#} s (of CPU time, or idle) counts as hung."
            ),
            $"Versions: {string.Join(", ", table.Rows.Select(row => row.Library == row.Serializer ? $"{row.Serializer} {row.LibraryVersion}" : $"{row.Serializer} ({row.Library} {row.LibraryVersion})"))}.",
        ];
}

/// <summary>The table of one group of features.</summary>
/// <param name="Title">Name of the group.</param>
/// <param name="Headers">Header of the first column, then a title per feature.</param>
/// <param name="Rows">Name of a serializer, then its cells with the numbers of notes.</param>
/// <param name="OwnTypesOnly">Serializers that support only their own types and have no row.</param>
public sealed record FeatureSection(
    string Title,
    IReadOnlyList<string> Headers,
    IReadOnlyList<IReadOnlyList<string>> Rows,
    IReadOnlyList<string> OwnTypesOnly
);
