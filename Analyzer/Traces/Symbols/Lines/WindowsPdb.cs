namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>Lines of a Windows PDB, as written by .NET Framework's compiler and <c>DebugType=full</c>.</summary>
internal sealed class WindowsPdb : IPdbLines
{
    private readonly IReadOnlyList<SourceDocument> _documents;

    /// <summary>Statements, ascending by method and place.</summary>
    private readonly List<WindowsPdbLine> _lines;

    /// <summary>Range of each method's statements.</summary>
    private readonly Dictionary<int, (int First, int Count)> _methods = [];
    private readonly Dictionary<int, Statement[]> _asked = [];

    /// <summary>Creates it from the content of a file.</summary>
    /// <param name="documents">Source files.</param>
    /// <param name="lines">Statements in any order.</param>
    public WindowsPdb(IReadOnlyList<SourceDocument> documents, List<WindowsPdbLine> lines)
    {
        (_documents, _lines) = (documents, lines);
        lines.Sort();
        for (var first = 0; first < lines.Count;)
        {
            var end = first;
            while (end < lines.Count && lines[end].Method == lines[first].Method)
                end++;
            _methods.Add(lines[first].Method, (first, end - first));
            first = end;
        }
    }

    /// <summary>Whether it has lines: a PDB of precompiled code has none.</summary>
    public bool HasLines => _lines.Count > 0;

    /// <inheritdoc/>
    public IEnumerable<SourceDocument> Documents => _documents;

    /// <inheritdoc/>
    public IReadOnlyList<Statement> Statements(int method)
    {
        if (!_methods.TryGetValue(method, out var place))
            return [];
        if (!_asked.TryGetValue(method, out var statements))
            _asked.Add(
                method,
                statements = [
                    .. _lines
                        .GetRange(place.First, place.Count)
                        .Select(line => new Statement(line.Start, new SourceLine(_documents[line.Document].Path, line.Line))),
                ]
            );
        return statements;
    }
}

/// <summary>A statement.</summary>
/// <param name="Method">Token of its method.</param>
/// <param name="Start">Its IL offset.</param>
/// <param name="Line">Its line; 0 for none.</param>
/// <param name="Document">Its source file, among those of the PDB.</param>
internal readonly record struct WindowsPdbLine(int Method, int Start, int Line, int Document) : IComparable<WindowsPdbLine>
{
    /// <inheritdoc/>
    public int CompareTo(WindowsPdbLine other) =>
        (Method, Start, Line, Document).CompareTo((other.Method, other.Start, other.Line, other.Document));
}
