using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>Folder of the recordings of a class of benchmarks; with its index, <c>esp-analyze</c> reads them as one.</summary>
/// <param name="path">Where it is.</param>
internal sealed class ProfileFolder(string path)
{
    private readonly HashSet<string> _labels = [];
    private readonly List<IndexedRecording> _recordings = [];
    private readonly DateTime _startedUtc = DateTime.UtcNow;

    /// <summary>Where it is.</summary>
    public string Path { get; } = path;

    /// <summary>Recordings in it.</summary>
    public int Recorded => _recordings.Count;

    /// <summary>How long it took to read them.</summary>
    public TimeSpan ReadingTime { get; set; }

    /// <summary>A label of its own for a recording.</summary>
    public string Claim(string label)
    {
        var claimed = label;
        for (var number = 2; !_labels.Add(claimed); number++)
            claimed = FormattableString.Invariant($"{label} #{number}");
        return claimed;
    }

    /// <summary>A recording was made.</summary>
    public void Add(string folder, string label) => _recordings.Add(new IndexedRecording(System.IO.Path.GetRelativePath(Path, folder), label));

    /// <summary>Writes the index.</summary>
    /// <returns>Its path.</returns>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    public string WriteIndex()
    {
        RecordingIndexFile.Write(Path, new RecordingIndex(RecordingIndex.CurrentSchema, CaseRecorder.ToolVersion, _startedUtc, _recordings, []));
        return RecordingIndexFile.PathOf(Path);
    }
}
