using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Features;

/// <summary>
/// Features as rows and serializers as columns, with a letter per cell, so that all of them fit a terminal. Features whose cells are
/// values, such as sizes, form a table below.
/// </summary>
internal sealed class FeatureGrid
{
    /// <summary>Maximum number of serializers whose names are headers; more have letters.</summary>
    private const int MaxNamed = 4;

    private readonly IReadOnlyList<FeatureCell> _cells;
    private readonly List<string> _serializers;

    public FeatureGrid(IReadOnlyList<FeatureCell> cells)
    {
        _cells = cells;
        _serializers = [.. cells.Select(cell => cell.Serializer).Distinct()];
        var features = cells.GroupBy(cell => cell.Key).Select(Row.Of).ToList();
        var letters = features.Where(feature => !feature.HasValues).ToList();
        var width = letters.Select(feature => feature.Title.Length).DefaultIfEmpty().Max();
        Groups =
        [
            .. letters
                .GroupBy(feature => feature.Group)
                .Select(group => Section.ForPeople("", [.. group], Columns(group.Key, width)) with { IsCompact = true }),
        ];
        var values = features.Where(feature => feature.HasValues).ToList();
        Values = values.Count == 0 ? null : Section.ForPeople("", _serializers, ByFeature(values));
    }

    /// <summary>Lines above the grid: what its cells mean, and the letters of the serializers where their names are too long.</summary>
    /// <param name="width">Width of a line.</param>
    public IReadOnlyList<string> Legend(int width) =>
        [
            "y yes · o opt-in: works with an option of the serializer · - no · x crashed or hung",
            ". takes only types that are generated for it, so it cannot be tried · ? not tried",
            .. HasLetters ? Names(width) : [],
        ];

    /// <summary>A grid for each group of features.</summary>
    public IReadOnlyList<Section> Groups { get; }

    /// <summary>The features that are values; null for none.</summary>
    public Section? Values { get; }

    private bool HasLetters => _serializers.Count > MaxNamed;

    /// <summary>Why the cells are what they are, feature by feature, where it is known.</summary>
    public IEnumerable<string> Notes() =>
        from feature in _cells.GroupBy(cell => cell.Key)
        from reason in feature.Where(cell => cell.Detail.Length > 0).GroupBy(cell => (cell.Seen, cell.Detail))
        let who = string.Join(", ", reason.Select(cell => cell.Serializer))
        select $"{feature.First().Feature}: {reason.Key.Seen} with {who}: {reason.Key.Detail}";

    private IEnumerable<string> Names(int width)
    {
        const char NoBreak = '\u00A0';
        var names = string.Join(", ", _serializers.Select((name, index) => $"{Letter(index)}{NoBreak}{name}"));
        return WrappedText.Lines(names, width, "").Select(line => line.Replace(NoBreak, ' '));
    }

    /// <summary>Columns of a group; titles have one width, so that the columns of all groups are below each other.</summary>
    private IReadOnlyList<Column<Row>> Columns(string group, int width) =>
        [
            new("feature", group, row => row.Title.PadRight(width)),
            .. _serializers.Select(
                (name, index) => new Column<Row>(name, HasLetters ? Letter(index) : name, row => row.Letter(name)) { Absent = _ => "?" }
            ),
        ];

    private static IReadOnlyList<Column<string>> ByFeature(List<Row> features) =>
        [
            new("name", "Serializer", name => name),
            .. features.Select(feature => new Column<string>(feature.Title, feature.Title, name => feature.Seen(name))),
        ];

    /// <summary>A to Z, then AA, BB.</summary>
    private static string Letter(int index) => new((char)('A' + (index % 26)), 1 + (index / 26));

    /// <summary>A feature with what was seen of each serializer.</summary>
    private sealed record Row(string Group, string Title, Dictionary<string, string> Cells)
    {
        public bool HasValues => Cells.Values.Any(seen => LetterOf(seen) is null);

        public static Row Of(IGrouping<string, FeatureCell> cells) =>
            new(cells.First().Group, cells.First().Feature, cells.ToDictionary(cell => cell.Serializer, cell => cell.Seen));

        public string? Seen(string serializer) => Cells.GetValueOrDefault(serializer);

        public string? Letter(string serializer) => Seen(serializer) is { } seen ? LetterOf(seen) : null;

        /// <summary>Null for a value.</summary>
        private static string? LetterOf(string seen) =>
            seen switch
            {
                "yes" => "y",
                "opt-in" => "o",
                "no" => "-",
                "own types only" => ".",
                "not tried" => "?",
                _ when seen.StartsWith("crashed", StringComparison.Ordinal) || seen.StartsWith("hung", StringComparison.Ordinal) => "x",
                _ => null,
            };
    }
}
