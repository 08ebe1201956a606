using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Source;

/// <summary>
/// Pairs the lines of two builds of a program. Files are compared as a whole, so that an inserted line shifts none. A line that was moved
/// to another place of its file is found by its method and text, if the method has that text once.
/// </summary>
/// <param name="before">Reads a source file of the first build by its path.</param>
/// <param name="after">Reads one of the other build.</param>
internal sealed class LinePairs(Func<string, SourceText> before, Func<string, SourceText> after)
{
    private readonly Dictionary<(string Before, string After), LineMap?> _maps = [];

    /// <summary>Pairs lines.</summary>
    /// <param name="first">Lines of the first build.</param>
    /// <param name="second">Lines of the other.</param>
    /// <returns>
    /// Each line of both once. A line that the other build has gets its place there, whether that is among the lines or not.
    /// </returns>
    public IReadOnlyList<LinePair> Of(IReadOnlyCollection<OwnLine> first, IReadOnlyCollection<OwnLine> second)
    {
        var pairs = new List<LinePair>();
        var left = second.ToHashSet();
        var (methodsBefore, methodsAfter) = (first.Select(line => line.Method).ToHashSet(), second.Select(line => line.Method).ToHashSet());
        foreach (var line in first)
        {
            var place = Place(line, second, after, Map);
            var match = place is var (file, number, _)
                ? Match(line, [.. left.Where(other => other.Line.File == file && other.Line.Line == number)])
                : Moved(line);
            pairs.Add(new LinePair(line, match ?? At(line, place), place?.IsEdited ?? false));
            if (match is { } other)
                left.Remove(other);
        }

        pairs.AddRange(
            left.Select(line =>
                Place(line, first, before, (path, other) => Map(other, path)?.Reversed) is var place
                    ? new LinePair(At(line, place), line, place?.IsEdited ?? false)
                    : default
            )
        );
        return pairs;

        // Compilers number the methods of lambdas anew, and methods are renamed.
        OwnLine? Match(OwnLine line, List<OwnLine> others) =>
            others.FindIndex(other => other.Method == line.Method) is >= 0 and var at ? others[at]
            : others is [var only] && !methodsAfter.Contains(line.Method) && !methodsBefore.Contains(only.Method) ? only
            : null;

        OwnLine? Moved(OwnLine line) =>
            TextOf(line.Line, before) is { Length: > 0 } text
            && first.Count(other => other.Method == line.Method && TextOf(other.Line, before) == text) == 1
            && left.Where(other => other.Method == line.Method && TextOf(other.Line, after) == text).ToList() is [var only]
                ? only
                : null;
    }

    /// <summary>The text of a line without the white space around it; empty when it cannot be read.</summary>
    public static string TextOf(SourceLine line, Func<string, SourceText> read) =>
        read(line.File).Lines is var lines && line.Line <= lines.Count ? lines[line.Line - 1].Trim() : "";

    /// <summary>Where a line is in the other build; null when it is not there.</summary>
    private static (string File, int Line, bool IsEdited)? Place(
        OwnLine line,
        IReadOnlyCollection<OwnLine> others,
        Func<string, SourceText> read,
        Func<string, string, LineMap?> map
    ) =>
        (Partner(line, others) ?? (read(line.Line.File) is { Problem.Length: 0 } or { Checksum.Length: > 0 } ? line.Line.File : null))
            is { } file
        && map(line.Line.File, file)?.Find(line.Line.Line) is var (number, isEdited)
            ? (file, number, isEdited)
            : null;

    /// <summary>The file of the other build: at the same path, else of the same name, with the method if there is one.</summary>
    private static string? Partner(OwnLine line, IReadOnlyCollection<OwnLine> others) =>
        others
            .Where(other => other.Line.FileName == line.Line.FileName)
            .Select(other => (other.Line.File, IsAtPath: other.Line.File == line.Line.File, HasMethod: other.Method == line.Method))
            .OrderByDescending(other => other.IsAtPath)
            .ThenByDescending(other => other.HasMethod)
            .ThenBy(other => other.File, StringComparer.Ordinal)
            .FirstOrDefault()
            .File;

    private static OwnLine? At(OwnLine line, (string File, int Line, bool IsEdited)? place) =>
        place is var (file, number, _) ? line with { Line = new SourceLine(file, number) } : null;

    private LineMap? Map(string path, string other)
    {
        if (!_maps.TryGetValue((path, other), out var map))
            _maps.Add((path, other), map = LineMap.Of(before(path), after(other)));
        return map;
    }
}

/// <summary>A line of two builds.</summary>
/// <param name="Before">The line in the first build; null when it was added.</param>
/// <param name="After">The line in the other build; null when it was removed.</param>
/// <param name="IsEdited">Whether its text was changed.</param>
internal readonly record struct LinePair(OwnLine? Before, OwnLine? After, bool IsEdited);
