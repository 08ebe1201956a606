using System.Globalization;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>Follows the run CSV while the program appends to it: counts its rows and takes the number of planned runs from the last one.</summary>
internal sealed class RunProgressReader(string path)
{
    /// <summary>Number of the column planned_runs: the columns before it are numbers, so the row can be split at commas.</summary>
    private const int PlannedColumn = 2;

    /// <summary>Bytes of the file already counted; always just after a line's end.</summary>
    private long _offset;

    /// <summary>Complete lines so far, the header included.</summary>
    private int _lines;

    /// <summary>Runs that have ended.</summary>
    public int Done => Math.Max(0, _lines - 1);

    /// <summary>Runs that are planned, 0 when unknown.</summary>
    public int Planned { get; private set; }

    /// <summary>Reads what was appended since the last call.</summary>
    public void Update()
    {
        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            file.Position = _offset;
            using var reader = new StreamReader(file);
            var text = reader.ReadToEnd();
            var end = text.LastIndexOf('\n');
            if (end < 0)
                return;
            foreach (var line in text.AsSpan(0, end).EnumerateLines())
                Count(line);
            _offset += System.Text.Encoding.UTF8.GetByteCount(text.AsSpan(0, end + 1));
        }
        catch (IOException)
        {
            // Not there yet, or gone: progress stays as it is.
        }
    }

    private void Count(ReadOnlySpan<char> line)
    {
        _lines++;
        var column = 0;
        foreach (var range in line.Split(','))
        {
            if (column++ != PlannedColumn)
                continue;
            if (int.TryParse(line[range], NumberStyles.None, CultureInfo.InvariantCulture, out var planned))
                Planned = planned;
            return;
        }
    }
}
