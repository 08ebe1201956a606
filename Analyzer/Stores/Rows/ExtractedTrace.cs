using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>A trace that was read: what its rows are made of.</summary>
/// <param name="Input">What was opened.</param>
/// <param name="Read">What came out; lists of events are null when they were not recorded or not asked for.</param>
/// <param name="HasEvents">Whether events were asked for.</param>
public sealed record ExtractedTrace(TraceInput Input, FindingInput Read, bool HasEvents)
{
    private readonly Dictionary<ProcessKey, int> _numbers = Read.Result.Processes.Select((process, index) => (process.Process, Index: index)).GroupBy(pair => pair.Process).ToDictionary(group => group.Key, group => group.First().Index);

    /// <summary>Runs, rows and what is missing.</summary>
    public AnalysisResult Result => Read.Result;

    /// <summary>Runs with the numbers of their processes in the trace.</summary>
    public IEnumerable<(int Process, Run Run)> Runs => Result.Runs.Select(run => (_numbers[run.Process], run));

    /// <summary>Number of a process in the trace; null of one without runs.</summary>
    public int? NumberOf(ProcessKey process) => _numbers.TryGetValue(process, out var number) ? number : null;

    /// <summary>What was opened of a process; null when it is not known.</summary>
    public TracedProcess? Traced(ProcessKey process) => Input.Processes.FirstOrDefault(item => item.Key == process);
}
