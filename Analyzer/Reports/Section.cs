using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports;

/// <summary>One table of a report, ready to be written: texts for people, values for programs.</summary>
public sealed record Section
{
    /// <summary>Keys of columns that say which runs a row is about.</summary>
    private static readonly HashSet<string> s_runKeys = ["runId", "serializer", "runtime", "test", "kind", "objects"];

    private Section()
    {
    }

    /// <summary>Name of the rows in JSON; empty for a table that only people see, because programs have its values in another one.</summary>
    public required string Key { get; init; }

    /// <summary>Title for people, empty for none.</summary>
    public required string Title { get; init; }

    /// <summary>Lines for people between the title and the table.</summary>
    public IReadOnlyList<string> Lines { get; private init; } = [];

    /// <summary>What people read instead of a table without rows; empty for nothing.</summary>
    public string WhenEmpty { get; private init; } = "";

    /// <summary>Whether CSV has its rows: all of one CSV have the same columns.</summary>
    public bool IsInCsv { get; private init; } = true;

    /// <summary>Whether JSON has its rows.</summary>
    public bool IsInJson { get; private init; } = true;

    /// <summary>Whether people see it.</summary>
    public bool IsForPeople { get; private init; } = true;

    /// <summary>Headers for people.</summary>
    public required IReadOnlyList<string> Headers { get; init; }

    /// <summary>For each header, whether its column is aligned to the right.</summary>
    public required IReadOnlyList<bool> IsNumber { get; init; }

    /// <summary>For each header, the priority with which a narrow terminal drops its column: the highest first, 0 never.</summary>
    public required IReadOnlyList<int> LeftOutFirst { get; init; }

    /// <summary>For each header, what shortens its cells in a narrow terminal (<see cref="Column{T}.Shorten"/>).</summary>
    public required IReadOnlyList<Func<string, int, string>?> Shorten { get; init; }

    /// <summary>For each header, whether its cells are bars (<see cref="CauseLetters"/>), which a terminal colours.</summary>
    public required IReadOnlyList<bool> IsBar { get; init; }

    /// <summary>Whether it has no rules and is at most 100 characters wide in a file.</summary>
    public bool IsCompact { get; init; }

    /// <summary>Whether it keeps to 100 characters in a file, too: it drops columns, as in a narrow terminal.</summary>
    public bool FitsPage { get; init; }

    /// <summary>Whether an option of its command (--columns) chooses its columns.</summary>
    public bool HasChosenColumns { get; init; }

    /// <summary>How many columns at the left name a row: which runs it is about, and what of them.</summary>
    public int NameColumns { get; private init; }

    /// <summary>Cells for people, a row each, as many as there are headers.</summary>
    public required IReadOnlyList<string[]> Texts { get; init; }

    /// <summary>Names for programs.</summary>
    public required IReadOnlyList<string> Keys { get; init; }

    /// <summary>Values for programs, a row each, as many as there are keys.</summary>
    public required IReadOnlyList<object?[]> Values { get; init; }

    /// <summary>For each row how many rows it lies under, when the rows are a tree in the order of its text: JSON nests them. Null for a table.</summary>
    public IReadOnlyList<int>? Depths { get; private init; }

    /// <summary>Columns that say which runs a row is about, and the first text behind them: a type, a method.</summary>
    private static int NamesIn<T>(List<Column<T>> columns)
    {
        var names = columns.TakeWhile(column => s_runKeys.Contains(column.Key)).Count();
        return names < columns.Count && !columns[names].IsNumber ? names + 1 : Math.Max(names, 1);
    }

    /// <summary>Makes a section that is a tree.</summary>
    /// <param name="key">Name of the outermost nodes in JSON.</param>
    /// <param name="rows">The nodes, callers before what they call.</param>
    /// <param name="depth">How many nodes one lies under.</param>
    /// <param name="shown">Columns for people; those without a header are left out.</param>
    /// <param name="all">Columns for programs.</param>
    /// <param name="whenEmpty">What people read when there are no nodes.</param>
    public static Section OfTree<T>(string key, IReadOnlyList<T> rows, Func<T, int> depth, IReadOnlyList<Column<T>> shown, IReadOnlyList<Column<T>> all, string whenEmpty) =>
        Of(key, "", rows, shown, all, whenEmpty) with { Depths = [.. rows.Select(depth)] };

    /// <summary>Makes a section that only people see.</summary>
    /// <param name="title">Title.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="shown">Columns; those without a header are left out.</param>
    public static Section ForPeople<T>(string title, IReadOnlyList<T> rows, IReadOnlyList<Column<T>> shown) => Of("", title, rows, shown, []);

    /// <summary>Makes a section with columns of its own beside the report's main one, for people and JSON.</summary>
    /// <param name="key">Name of the rows in JSON.</param>
    /// <param name="title">Title for people.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="columns">Columns; people do not see those without a header.</param>
    /// <param name="shown">Columns for people, where they are others; else null.</param>
    public static Section OutsideCsv<T>(string key, string title, IReadOnlyList<T> rows, IReadOnlyList<Column<T>> columns, IReadOnlyList<Column<T>>? shown = null) =>
        Of(key, title, rows, shown ?? columns, columns) with { IsInCsv = false, WhenEmpty = "" };

    /// <summary>Makes a section that only CSV has: JSON nests what stands in its lines, and people read it in another form.</summary>
    /// <param name="rows">The rows.</param>
    /// <param name="columns">Columns.</param>
    public static Section ForCsv<T>(IReadOnlyList<T> rows, IReadOnlyList<Column<T>> columns) =>
        Of("rows", "", rows, [], columns) with { IsInJson = false, IsForPeople = false };

    /// <summary>The section with lines below its title; without rows it is these alone.</summary>
    public Section With(IReadOnlyList<string> lines) => this with { Lines = lines, WhenEmpty = "" };

    /// <summary>The section for programs alone: people do not see it.</summary>
    public Section ForPrograms() => this with { IsForPeople = false };

    /// <summary>Makes a section of rows and columns.</summary>
    /// <param name="key">Name of the rows in JSON.</param>
    /// <param name="title">Title for people.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="shown">Columns for people; those without a header are left out.</param>
    /// <param name="all">Columns for programs.</param>
    /// <param name="whenEmpty">What people read when there are no rows.</param>
    public static Section Of<T>(string key, string title, IReadOnlyList<T> rows, IReadOnlyList<Column<T>> shown, IReadOnlyList<Column<T>> all, string whenEmpty = "(no runs)")
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
