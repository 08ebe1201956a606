using DiffPlex;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Source;

/// <summary>Where the lines of a source file are in another version of it.</summary>
internal sealed class LineMap
{
    /// <summary>
    /// Replaced lines, ascending: first line and count before, first line and count after. The others are equal in their order. Null for
    /// one file on both sides.
    /// </summary>
    private readonly List<(int Before, int Removed, int After, int Added)>? _changes;

    private LineMap(List<(int Before, int Removed, int After, int Added)>? changes) => _changes = changes;

    /// <summary>
    /// Compares two versions; null when one of them cannot be read and they are not known to be the same file. White space at the ends of
    /// lines does not count.
    /// </summary>
    /// <param name="before">The file.</param>
    /// <param name="after">The other version.</param>
    public static LineMap? Of(SourceText before, SourceText after)
    {
        if (before.Checksum.Length > 0 && before.Checksum == after.Checksum)
            return new LineMap(null);
        if (before.Problem.Length > 0 || after.Problem.Length > 0)
            return null;
        var blocks = Differ
            .Instance.CreateLineDiffs(string.Join('\n', before.Lines), string.Join('\n', after.Lines), ignoreWhitespace: true)
            .DiffBlocks;
        return new LineMap([
            .. blocks.Select(block => (block.DeleteStartA + 1, block.DeleteCountA, block.InsertStartB + 1, block.InsertCountB)),
        ]);
    }

    /// <summary>From the other version to this one.</summary>
    public LineMap Reversed => new(_changes?.ConvertAll(change => (change.After, change.Added, change.Before, change.Removed)));

    /// <summary>
    /// The line in the other version; null when it was removed. As many new lines in the place of old ones are edits of these.
    /// </summary>
    /// <param name="line">Number of the line, from 1.</param>
    public (int Line, bool IsEdited)? Find(int line)
    {
        var moved = 0;
        foreach (var change in _changes ?? [])
        {
            if (line < change.Before)
                break;
            if (line < change.Before + change.Removed)
                return change.Removed == change.Added ? (change.After + line - change.Before, true) : null;
            moved = change.After + change.Added - (change.Before + change.Removed);
        }

        return (line + moved, false);
    }
}
