using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>A trace after reading: the source of its rows.</summary>
/// <param name="Input">The input.</param>
/// <param name="Read">The analysis; lists of events are null when not recorded or not requested.</param>
/// <param name="HasEvents">Whether events were requested.</param>
public sealed record ExtractedTrace(TraceInput Input, FindingInput Read, bool HasEvents)
{
    private readonly Dictionary<ProcessKey, int> _numbers = Read
        .Result.Processes.Select((process, index) => (process.Process, Index: index))
        .GroupBy(pair => pair.Process)
        .ToDictionary(group => group.Key, group => group.First().Index);

    /// <summary>Runs, rows and losses.</summary>
    public AnalysisResult Result => Read.Result;

    /// <summary>Runs with the numbers of their processes in the trace.</summary>
    public IEnumerable<(int Process, Run Run)> Runs => Result.Runs.Select(run => (_numbers[run.Process], run));

    /// <summary>Number of a process in the trace; null for one without runs.</summary>
    public int? NumberOf(ProcessKey process) => _numbers.TryGetValue(process, out var number) ? number : null;

    /// <summary>The input of a process; null when unknown.</summary>
    public TracedProcess? Traced(ProcessKey process) => Input.Processes.FirstOrDefault(item => item.Key == process);
}
