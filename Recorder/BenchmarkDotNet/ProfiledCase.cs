using System.Diagnostics;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>A benchmark, its recording, and the findings in it.</summary>
/// <param name="benchmark">The benchmark.</param>
/// <param name="folder">Folder of its class.</param>
/// <param name="label">Label that is unique in the folder.</param>
internal sealed class ProfiledCase(BenchmarkCase benchmark, ProfileFolder folder, string label)
{
    private readonly List<string> _problems = [];

    /// <summary>The benchmark.</summary>
    public BenchmarkCase Benchmark => benchmark;

    /// <summary>Folder of the recording; it does not exist before the recording begins.</summary>
    public string Path { get; } = FolderNames.Unused(folder.Path, FolderNames.Of(label));

    /// <summary>What could not be recorded or read: a sentence each, with the fix.</summary>
    public IReadOnlyList<string> Problems => _problems;

    /// <summary>Findings of the recording.</summary>
    public IReadOnlyList<Finding> Findings { get; private set; } = [];

    /// <summary>Costs of the measured iterations, per operation.</summary>
    public IReadOnlyList<Metric> Metrics { get; private set; } = [];

    public void Note(string problem)
    {
        if (!_problems.Contains(problem))
            _problems.Add(problem);
    }

    /// <summary>Keeps an exception as a problem of the case.</summary>
    public void Fail(Exception exception) =>
        Note(
            $"it was not recorded, or could not be read: {exception.Message.TrimEnd('.')} ({exception.GetType().Name}); run it again, or without the diagnoser"
        );

    /// <summary>Reads the recording of a case that has ended.</summary>
    public void Recorded(RecordingResult result)
    {
        if (result.Recording.Processes.Count > 0)
            folder.Add(result.Folder, label);
        foreach (var loss in result.Recording.Losses)
            Note(loss);
    }

    /// <summary>Reads the recording.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    public void Analyze()
    {
        if (!Directory.Exists(Path))
            return;
        var started = Stopwatch.GetTimestamp();
        var input = TraceInputReader.Open([Path]);
        var missing = input.Missing();
        foreach (var problem in missing)
            Note(problem);
        var result = FindingAnalysis.Run(input, missing, SymbolFiles.Of(input)).Result;
        var runs = result
            .Runs.Where(run => run.Identity.Kind == RunKind.Measured && run.Delimiter == Analysis.Runs.Delimiting.RunDelimiter.Marks)
            .ToList();
        if (runs.Count == 0)
            Note(
                "its recording has no iterations, because the events of BenchmarkDotNet's engine are missing; inspect it with esp-analyze events"
            );
        Findings = result.Findings;
        Metrics = ProfileMetrics.Of(runs);
        folder.ReadingTime += Stopwatch.GetElapsedTime(started);
    }
}
