using System.Text;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// Follows the run CSV while the program appends to it: counts its runs, and takes the number of planned ones from the last row.
/// </summary>
internal sealed class RunProgressReader(string path)
{
    /// <summary>Number of bytes already processed; always after a line end.</summary>
    private long _offset;

    /// <summary>Number of completed runs.</summary>
    public int Done { get; private set; }

    /// <summary>Number of planned runs; 0 when unknown.</summary>
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
            foreach (var line in text[..end].Split('\n'))
            {
                if (!RunCsv.IsRun(line, out var planned))
                    continue;
                Done++;
                Planned = planned > 0 ? planned : Planned;
            }

            _offset += Encoding.UTF8.GetByteCount(text.AsSpan(0, end + 1));
        }
        catch (IOException)
        {
            // The file does not exist yet or any more: progress stays unchanged.
        }
    }
}
