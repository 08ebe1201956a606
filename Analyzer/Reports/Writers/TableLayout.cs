using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>
/// Fits a table into a terminal. A table that is too wide first breaks its headers and shortens texts that know how
/// (<see cref="Section.Shorten"/>), then drops columns with a <see cref="Section.LeftOutFirst"/>, then shortens names over half of the
/// width: sentences wrap, and names without blanks lose their middle. Columns that still do not fit form further tables below, with the
/// row's names repeated.
/// </summary>
internal sealed class TableLayout
{
    /// <summary>Characters between two columns: a blank, a rule and a blank; or two blanks.</summary>
    private const int Ruled = 3;
    private const int Compact = 2;

    /// <summary>Width of a compact table, or of one that fits a page, in a file.</summary>
    private const int PageWidth = 100;

    /// <summary>Minimum length of shortened names.</summary>
    private const int MinNameLength = 12;

    /// <summary>A name of this length says enough: columns are dropped before it gets shorter.</summary>
    private const int EnoughName = 36;

    /// <summary>Number of blanks from which a text counts as a sentence.</summary>
    private const int BlanksOfSentence = 3;

    private readonly Section _section;
    private readonly int _frame;

    /// <summary>Headers before breaking.</summary>
    private readonly string[] _headers;

    /// <summary>Width that the texts of each column may take, in terminal columns.</summary>
    private readonly int[] _cells;

    /// <summary>Indexes of the remaining columns.</summary>
    private readonly List<int> _columns;

    private TableLayout(Section section)
    {
        _section = section;
        _frame = section.IsCompact ? Compact : Ruled;
        _headers = [.. section.Headers.Select(PrintableText.Of)];
        Headers = _headers;
        Rows = [.. section.Texts.Select(row => row.Select(PrintableText.Of).ToArray())];
        _cells = [.. _headers.Select((_, column) => Rows.Max(row => row[column].Length))];
        _columns = [.. Enumerable.Range(0, _cells.Length)];
        Parts = [_columns];
    }

    /// <summary>Printable headers, with line breaks.</summary>
    public IReadOnlyList<string> Headers { get; private set; }

    /// <summary>Lines of the highest header.</summary>
    public int HeaderLines => _columns.Max(column => Headers[column].Split('\n').Length);

    /// <summary>Printable cells.</summary>
    public IReadOnlyList<string[]> Rows { get; private set; }

    /// <summary>Indexes of the columns of each table.</summary>
    public IReadOnlyList<IReadOnlyList<int>> Parts { get; private set; }

    /// <summary>Width of columns whose cells wrap.</summary>
    public Dictionary<int, int> Wrapped { get; } = [];

    /// <summary>Headers of the dropped columns.</summary>
    public IReadOnlyList<string> LeftOut { get; private set; } = [];

    /// <summary>Whether the middle of a cell was removed.</summary>
    public bool AreNamesShortened { get; private set; }

    /// <summary>Fits a table with rows.</summary>
    /// <param name="section">The table.</param>
    /// <param name="width">Width of the terminal in columns; null for unlimited.</param>
    public static TableLayout Fit(Section section, int? width)
    {
        var layout = new TableLayout(section);
        if (
            (width ?? (section.IsCompact || section.FitsPage ? PageWidth : null)) is { } columns
            && layout.Sum(layout._headers.Select((header, column) => Math.Max(layout._cells[column], header.Length))) > columns
        )
            layout.Fit(columns);
        return layout;
    }

    private void Fit(int columns)
    {
        // What can be shortened gives way before columns are left out, while it says enough, and then takes what room there is.
        var flexible = _columns.FindIndex(column => _section.Shorten[column] is not null);
        var whole = flexible >= 0 ? _cells[flexible] : 0;
        if (flexible >= 0)
            _cells[flexible] = Math.Min(whole, EnoughName);
        while (
            Sum(_columns.Select(Width)) > columns
            && _columns.MaxBy(column => _section.LeftOutFirst[column]) is var least
            && _section.LeftOutFirst[least] > 0
        )
            _columns.Remove(least);
        if (flexible >= 0)
        {
            // Headers stay whole where the name says enough beside them.
            var room = columns - Sum(_columns.Select(column => column == flexible ? 0 : Math.Max(_cells[column], _headers[column].Length)));
            if (room < Math.Min(whole, EnoughName))
                room = columns - Sum(_columns.Select(column => column == flexible ? 0 : Width(column)));
            Shorten(flexible, Math.Clamp(room, Math.Min(whole, MinNameLength), whole));
        }

        LeftOut = [.. _headers.Where((_, column) => !_columns.Contains(column))];

        var names = _columns.TakeWhile(column => column < Math.Max(1, _section.NameColumns)).ToList();
        var rest = Sum(_columns.Skip(names.Count).Select(Width));
        while (
            Sum(names.Select(Width)) - Math.Max(columns / 2, columns - rest) is > 0 and var excess
            && names.MaxBy(column => _cells[column]) is var longest
            && _cells[longest] > MinNameLength
        )
        {
            // The longest name shrinks first, down to the next longest, so short names stay intact.
            Narrow(
                longest,
                Math.Max(
                    _cells[longest] - excess,
                    names.Select(column => _cells[column]).Where(cell => cell < _cells[longest]).DefaultIfEmpty(0).Max()
                )
            );
        }

        if (
            _section.FitsPage
            && Sum(_columns.Select(Width)) - columns is > 0 and var over
            && _columns.Skip(names.Count).LastOrDefault(IsSentence) is > 0 and var verdict
        )
            Narrow(verdict, _cells[verdict] - over);
        var taken = Sum(names.Select(Width));
        foreach (
            var column in _columns.Skip(names.Count).Where(column => !_section.IsNumber[column] && taken + Width(column) + _frame > columns)
        )
            Narrow(column, columns - taken - _frame);
        if (Sum(_columns.Select(column => Math.Max(_cells[column], _headers[column].Length))) > columns)
            Headers = [.. _headers.Select((header, column) => Break(header, _cells[column]))];
        Divide(names, columns);
    }

    private void Shorten(int column, int width)
    {
        _cells[column] = width;
        AreNamesShortened |= !_section.IsCompact && Rows.Any(row => row[column].Length > width);
        Rows = [.. Rows.Select(row => (string[])[.. row[..column], _section.Shorten[column]!(row[column], width), .. row[(column + 1)..]])];
    }

    private bool IsSentence(int column) =>
        _section.Depths is null
        && !_section.IsNumber[column]
        && Rows.Any(row => row[column].Count(character => character == ' ') >= BlanksOfSentence);

    /// <summary>Narrows a text column.</summary>
    private void Narrow(int column, int width)
    {
        _cells[column] = width = Math.Max(width, MinNameLength);
        if (IsSentence(column))
        {
            Wrapped[column] = width;
            return;
        }

        Rows = [.. Rows.Select(row => (string[])[.. row[..column], Shorten(row[column], width), .. row[(column + 1)..]])];
        AreNamesShortened = true;
    }

    /// <summary>Divides the columns into as many tables as necessary.</summary>
    private void Divide(List<int> names, int columns)
    {
        var parts = new List<IReadOnlyList<int>>();
        List<int> part = [.. names];
        foreach (var column in _columns.Skip(names.Count))
        {
            if (part.Count > names.Count && Sum(part.Append(column).Select(Width)) > columns)
            {
                parts.Add(part);
                part = [.. names];
            }

            part.Add(column);
        }

        Parts = [.. parts, part];
    }

    /// <summary>Width of a column with its header broken as often as possible.</summary>
    private int Width(int column) => Math.Max(_cells[column], MaxWordLength(_headers[column]));

    /// <summary>Breaks a header between words into lines no longer than its cells, or than its longest word.</summary>
    internal static string Break(string header, int cell)
    {
        var max = Math.Max(cell, MaxWordLength(header));
        var lines = new List<string>();
        foreach (var word in header.Split(' '))
        {
            if (lines.Count > 0 && lines[^1].Length + 1 + word.Length <= max)
                lines[^1] += " " + word;
            else
                lines.Add(word);
        }

        return string.Join('\n', lines);
    }

    /// <summary>Removes a text's middle, because method names have the namespace in front and the name at the end.</summary>
    internal static string Shorten(string text, int length) =>
        text.Length <= length
            ? text
            : string.Concat(text.AsSpan(0, (length - 1) / 3), "…", text.AsSpan(text.Length - (length - 1 - ((length - 1) / 3))));

    private static int MaxWordLength(string header) => header.Split(' ').Max(word => word.Length);

    /// <summary>Width of adjacent columns; a compact table ends with its last text.</summary>
    private int Sum(IEnumerable<int> widths) => widths.Sum(width => width + _frame) - (_section.IsCompact ? _frame : 0);
}
