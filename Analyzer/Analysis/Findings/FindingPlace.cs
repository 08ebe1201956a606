using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>A place in the trace that a finding is about.</summary>
/// <param name="Process">Process of it.</param>
/// <param name="RunId">Number of the run in its process; null when it lies in none or in several.</param>
/// <param name="StartMs">Begin in ms since the process's trace began.</param>
/// <param name="StopMs">End in ms since the process's trace began.</param>
/// <param name="What">What is there: a run, a collection, a method.</param>
public sealed record FindingPlace(ProcessKey Process, int? RunId, double StartMs, double StopMs, string What)
{
    /// <summary>A run as a place.</summary>
    /// <param name="run">The run.</param>
    /// <param name="what">What is to be seen of it; null for its serializer and test.</param>
    public static FindingPlace Of(Run run, string? what = null)
    {
        ArgumentNullException.ThrowIfNull(run);
        return new FindingPlace(run.Process, run.RunId, run.StartMs, run.StopMs, what ?? SummaryKey.Of(run).ToString());
    }
}
