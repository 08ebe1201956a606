using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Features;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>What the steps of a guide recorded.</summary>
internal sealed class GuideInput
{
    private readonly Dictionary<string, string> _unreadable = [];

    /// <summary>Reads all steps that are done; one that is unreadable counts as missing.</summary>
    /// <param name="folder">The guide's folder.</param>
    /// <param name="steps">Its steps.</param>
    /// <param name="older">An earlier guide to compare with; null for none.</param>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public GuideInput(string folder, GuideSteps steps, OlderGuide? older = null)
    {
        (Folder, Steps) = (folder, steps);
        ThroughputRuns = Read(GuideKeys.Throughput, RunParts.Findings);
        ThreadRuns = Read(GuideKeys.Threads, RunParts.None);
        RuntimeRuns = Read(GuideKeys.Runtimes, RunParts.None);
        FirstCallRuns = Read(GuideKeys.FirstCalls, RunParts.Findings);
        if (IsDone(GuideKeys.Features))
            FeatureCells = Try(GuideKeys.Features, () => FeatureCell.Read(Path.Combine(folder, GuideKeys.Features))) ?? [];
        var conclusions = new Dictionary<string, ScenarioConclusion>();
        foreach (var step in steps.Steps.Where(step => step.IsScenario && step.State == GuideStepState.Done))
        {
            if (Try(step.Key, () => ScenarioConclusion.Read(Path.Combine(folder, step.Key))) is { } conclusion)
                conclusions[step.Key] = conclusion;
        }

        Conclusions = conclusions;
        Measurements = [.. Readings.SelectMany(step => GuideMeasurement.Of(step.Step, step.Read))];
        Environment = GuideEnvironment.Of(this);
        Changes = older is null ? null : new GuideChanges(this, older);
    }

    /// <summary>The guide's folder.</summary>
    public string Folder { get; }

    /// <summary>The steps.</summary>
    public GuideSteps Steps { get; }

    /// <summary>Runs over object counts; null when not recorded. The same holds for the next ones.</summary>
    public RunReading? ThroughputRuns { get; }

    /// <summary>Runs on several threads.</summary>
    public RunReading? ThreadRuns { get; }

    /// <summary>Runs on several runtimes.</summary>
    public RunReading? RuntimeRuns { get; }

    /// <summary>First calls.</summary>
    public RunReading? FirstCallRuns { get; }

    /// <summary>The feature table; empty when the features were not tried.</summary>
    public IReadOnlyList<FeatureCell> FeatureCells { get; } = [];

    /// <summary>Conclusions of the scenarios by step.</summary>
    public IReadOnlyDictionary<string, ScenarioConclusion> Conclusions { get; }

    /// <summary>The runs of each row.</summary>
    public IReadOnlyList<GuideMeasurement> Measurements { get; }

    /// <summary>Machine, settings and runtimes; null when nothing was recorded.</summary>
    public GuideEnvironment? Environment { get; }

    /// <summary>What changed since an earlier guide; null without one.</summary>
    public GuideChanges? Changes { get; }

    /// <summary>The recordings of runs by step; null for those that are missing.</summary>
    public IReadOnlyList<(string Step, RunReading? Read)> Readings =>
        [
            (GuideKeys.Throughput, ThroughputRuns),
            (GuideKeys.Threads, ThreadRuns),
            (GuideKeys.FirstCalls, FirstCallRuns),
            (GuideKeys.Runtimes, RuntimeRuns),
        ];

    /// <summary>The rows of a test of the throughput step that compare serializers best, fastest first; empty without them.</summary>
    public IReadOnlyList<SummaryRow> Compared(string operation)
    {
        var rows = ThroughputRuns?.Result.Rows.Where(row => row.Key.Operation == operation && row.Runs > 0).ToList() ?? [];
        return rows.Count == 0 ? [] : [.. CommonObjectCount.RowsOf(rows).OrderBy(row => row.WallMedianMs)];
    }

    /// <summary>Both directions of each serializer, at the object count that compares them best; fastest in deserializing first.</summary>
    public IReadOnlyList<GuideRow> Ranked()
    {
        var serialize = Compared(RunOperation.Serialize).ToDictionary(row => row.Key.Serializer);
        return
        [
            .. Compared(RunOperation.Deserialize)
                .Select(row => new GuideRow(row.Key.Serializer, row, serialize.GetValueOrDefault(row.Key.Serializer))),
        ];
    }

    /// <summary>How to get what a step measures: the guide's own command, or why the step failed.</summary>
    public string Missing(string key)
    {
        var again = Steps.Command.Length > 0 ? Steps.Command : $"esp-record guide --out {Folder}";
        if (_unreadable.TryGetValue(key, out var problem))
            return $"{problem}; delete {Path.Combine(Folder, key)} and record again: {again}";
        return Steps.Find(key) switch
        {
            null when Steps.LeftOut.FirstOrDefault(step => step.Key == key) is { } leftOut => $"{leftOut.Reason}; {leftOut.Fix}",
            null => $"not part of this guide; record it into a new folder: esp-record guide --full --out {Folder}-full",
            { State: GuideStepState.Failed, Outcome: var outcome } => $"{outcome}; try again: {again}",
            _ => $"not recorded yet: {again}",
        };
    }

    /// <summary>Path of a step's report, relative to the guide's folder.</summary>
    public static string ReportOf(string key) => $"{key}/{Html.HtmlReportPrinter.FileName}";

    /// <summary>Folders of the recordings of an index, in its order.</summary>
    public IReadOnlyList<string> RecordingsOf(string key)
    {
        var folder = Path.Combine(Folder, key);
        return [.. RecordingIndexFile.Read(folder).Recordings.Select(recording => RecordingIndexFile.FolderOf(folder, recording))];
    }

    private bool IsDone(string key) => Steps.Find(key)?.State == GuideStepState.Done;

    private RunReading? Read(string key, RunParts parts) =>
        IsDone(key) ? Try(key, () => new TraceRuns([Path.Combine(Folder, key)]).Read(parts)) : null;

    private T? Try<T>(string key, Func<T> read)
        where T : class
    {
        try
        {
            return read();
        }
        catch (Exception exception) when (exception is TraceFormatException or FileNotFoundException or DirectoryNotFoundException)
        {
            _unreadable[key] = exception.Message.Split('\n')[0].TrimEnd('.');
            return null;
        }
    }
}

/// <summary>A serializer with its rows in both directions.</summary>
/// <param name="Serializer">Its name.</param>
/// <param name="Deserialize">The row of deserializing.</param>
/// <param name="Serialize">The row of serializing; null when it failed.</param>
internal sealed record GuideRow(string Serializer, SummaryRow Deserialize, SummaryRow? Serialize)
{
    /// <summary>Median time of a round trip in ms, which ranks serializers; null when one direction is missing.</summary>
    public double? Ms => Deserialize.WallMedianMs + Serialize?.WallMedianMs;
}
