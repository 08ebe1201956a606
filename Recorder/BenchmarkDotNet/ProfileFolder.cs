using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>Folder with the recordings of one benchmark class; <c>esp-analyze</c> reads them together by its index.</summary>
/// <param name="path">Path of the folder.</param>
internal sealed class ProfileFolder(string path)
{
    private readonly HashSet<string> _labels = [];
    private readonly List<IndexedRecording> _recordings = [];
    private readonly DateTime _startedUtc = DateTime.UtcNow;

    /// <summary>Path of the folder.</summary>
    public string Path { get; } = path;

    /// <summary>Number of recordings in it.</summary>
    public int Recorded => _recordings.Count;

    /// <summary>Time it took to read them.</summary>
    public TimeSpan ReadingTime { get; set; }

    /// <summary>Returns a label that is unique in the folder.</summary>
    public string Claim(string label)
    {
        var claimed = label;
        for (var number = 2; !_labels.Add(claimed); number++)
            claimed = FormattableString.Invariant($"{label} #{number}");
        return claimed;
    }

    /// <summary>Counts a recording and the time it took to read it.</summary>
    public void Add(string folder, string label) =>
        _recordings.Add(new IndexedRecording(System.IO.Path.GetRelativePath(Path, folder), label));

    /// <summary>Writes the index.</summary>
    /// <returns>Path of the index.</returns>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    public string WriteIndex()
    {
        RecordingIndexFile.Write(
            Path,
            new RecordingIndex(RecordingIndex.CurrentSchema, CaseRecorder.ToolVersion, _startedUtc, _recordings, [])
        );
        return RecordingIndexFile.PathOf(Path);
    }
}
