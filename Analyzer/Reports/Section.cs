using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports;

/// <summary>A table of a report, ready for output: texts for people, values for CSV and JSON.</summary>
public sealed record Section
{
    /// <summary>Keys of columns that name the runs of a row.</summary>
    private static readonly HashSet<string> s_runKeys = ["runId", "serializer", "runtime", "test", "kind", "objects"];

    private Section() { }

    /// <summary>Name of the rows in JSON; empty for a table of text output only, whose values are in another table.</summary>
    public required string Key { get; init; }

    /// <summary>Title in text output; empty for none.</summary>
    public required string Title { get; init; }

    /// <summary>Lines of text output between title and table.</summary>
    public IReadOnlyList<string> Lines { get; private init; } = [];

    /// <summary>Text instead of a table without rows; empty for nothing.</summary>
    public string WhenEmpty { get; private init; } = "";

    /// <summary>Whether CSV has its rows; all such sections have the same columns.</summary>
    public bool IsInCsv { get; private init; } = true;

    /// <summary>Whether JSON has its rows.</summary>
    public bool IsInJson { get; private init; } = true;

    /// <summary>Whether text output has it.</summary>
    public bool IsForPeople { get; private init; } = true;

    /// <summary>Headers of text output.</summary>
    public required IReadOnlyList<string> Headers { get; init; }

    /// <summary>For each header, whether its column is right-aligned.</summary>
    public required IReadOnlyList<bool> IsNumber { get; init; }

    /// <summary>For each header, the priority for dropping its column on a narrow terminal: highest first, 0 never.</summary>
    public required IReadOnlyList<int> LeftOutFirst { get; init; }

    /// <summary>For each header, what shortens its cells in a narrow terminal (<see cref="Column{T}.Shorten"/>).</summary>
    public required IReadOnlyList<Func<string, int, string>?> Shorten { get; init; }

    /// <summary>For each header, whether its cells are bars (<see cref="CauseLetters"/>), which a terminal colours.</summary>
    public required IReadOnlyList<bool> IsBar { get; init; }

    /// <summary>Whether it has no rules, and at most 100 characters per line in a file.</summary>
    public bool IsCompact { get; init; }

    /// <summary>Whether it is limited to 100 characters per line in a file, too: it drops columns as on a narrow terminal.</summary>
    public bool FitsPage { get; init; }

    /// <summary>Whether an option of its command (--columns) chooses its columns.</summary>
    public bool HasChosenColumns { get; init; }

    /// <summary>Number of leading columns that name a row: its runs, and an item of them.</summary>
    public int NameColumns { get; private init; }

    /// <summary>Cells of text output, one array per row, in the order of the headers.</summary>
    public required IReadOnlyList<string[]> Texts { get; init; }

    /// <summary>Keys of CSV and JSON.</summary>
    public required IReadOnlyList<string> Keys { get; init; }

    /// <summary>Values of CSV and JSON, one array per row, in the order of the keys.</summary>
    public required IReadOnlyList<object?[]> Values { get; init; }

    /// <summary>Number of ancestors per row, if the rows are a tree in the order of its text; JSON nests them. Null for a table.</summary>
    public IReadOnlyList<int>? Depths { get; private init; }

    /// <summary>Number of columns that name the runs of a row, plus the first text after them: a type, a method.</summary>
    private static int NamesIn<T>(List<Column<T>> columns)
    {
        var names = columns.TakeWhile(column => s_runKeys.Contains(column.Key)).Count();
        return names < columns.Count && !columns[names].IsNumber ? names + 1 : Math.Max(names, 1);
    }

    /// <summary>Creates a section for a tree.</summary>
    /// <param name="key">Name of the root nodes in JSON.</param>
    /// <param name="rows">The nodes, callers before callees.</param>
    /// <param name="depth">Number of a node's ancestors.</param>
    /// <param name="shown">Columns of text output; those without a header are omitted.</param>
    /// <param name="all">Columns of CSV and JSON.</param>
    /// <param name="whenEmpty">Text when there are no nodes.</param>
    public static Section OfTree<T>(
        string key,
        IReadOnlyList<T> rows,
        Func<T, int> depth,
        IReadOnlyList<Column<T>> shown,
        IReadOnlyList<Column<T>> all,
        string whenEmpty
    ) => Of(key, "", rows, shown, all, whenEmpty) with { Depths = [.. rows.Select(depth)] };

    /// <summary>Creates a section of text output only.</summary>
    /// <param name="title">Title.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="shown">Columns; those without a header are omitted.</param>
    public static Section ForPeople<T>(string title, IReadOnlyList<T> rows, IReadOnlyList<Column<T>> shown) =>
        Of("", title, rows, shown, []);

    /// <summary>Creates a section with its own columns besides the main section, for text output and JSON.</summary>
    /// <param name="key">Name of the rows in JSON.</param>
    /// <param name="title">Title in text output.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="columns">Columns; text output omits those without a header.</param>
    /// <param name="shown">Columns of text output; null for the same.</param>
    public static Section OutsideCsv<T>(
        string key,
        string title,
        IReadOnlyList<T> rows,
        IReadOnlyList<Column<T>> columns,
        IReadOnlyList<Column<T>>? shown = null
    ) => Of(key, title, rows, shown ?? columns, columns) with { IsInCsv = false, WhenEmpty = "" };

    /// <summary>Creates a section of CSV only: JSON nests its lines, and text output shows them in another form.</summary>
    /// <param name="rows">The rows.</param>
    /// <param name="columns">Columns.</param>
    public static Section ForCsv<T>(IReadOnlyList<T> rows, IReadOnlyList<Column<T>> columns) =>
        Of("rows", "", rows, [], columns) with
        {
            IsInJson = false,
            IsForPeople = false,
        };

    /// <summary>Returns the section with lines below its title; without rows it consists of these lines.</summary>
    public Section With(IReadOnlyList<string> lines) => this with { Lines = lines, WhenEmpty = "" };

    /// <summary>Returns the section without text output.</summary>
    public Section ForPrograms() => this with { IsForPeople = false };

    /// <summary>Creates a section of rows and columns.</summary>
    /// <param name="key">Name of the rows in JSON.</param>
    /// <param name="title">Title in text output.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="shown">Columns of text output; those without a header are omitted.</param>
    /// <param name="all">Columns of CSV and JSON.</param>
    /// <param name="whenEmpty">Text when there are no rows.</param>
    public static Section Of<T>(
        string key,
        string title,
        IReadOnlyList<T> rows,
        IReadOnlyList<Column<T>> shown,
        IReadOnlyList<Column<T>> all,
        string whenEmpty = "(no runs)"
    )
    {
        var columns = shown.Where(column => column.Header is not null && (column.ShownWith is null || rows.Any(column.ShownWith))).ToList();
        return new Section
        {
            Key = key,
            Title = title,
            WhenEmpty = whenEmpty,
            NameColumns = NamesIn(columns),
            Headers = [.. columns.Select(column => column.Header!)],
            IsNumber = [.. columns.Select(column => column.IsNumber)],
            LeftOutFirst = [.. columns.Select(column => column.LeftOutFirst)],
            Shorten = [.. columns.Select(column => column.Shorten)],
            IsBar = [.. columns.Select(column => column.IsBar)],
            Texts = [.. rows.Select(row => columns.Select(column => column.Text(row)).ToArray())],
            Keys = [.. all.Select(column => column.Key)],
            Values = [.. rows.Select(row => all.Select(column => column.Value(row)).ToArray())],
        };
    }
}
