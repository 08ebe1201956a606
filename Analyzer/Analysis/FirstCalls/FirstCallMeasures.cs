using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>Measures of one first call.</summary>
/// <param name="run">The run.</param>
/// <param name="process">Its process.</param>
/// <param name="pass">Data of the process from the pass.</param>
/// <param name="results">Read results of its sources.</param>
internal sealed class FirstCallMeasures(
    Run run,
    TracedProcess process,
    FirstCallPass pass,
    IReadOnlyDictionary<ITraceSource, TraceReadResult> results
)
{
    public Run Run => run;

    /// <summary>Tally of the call.</summary>
    public FirstCallTally In { get; } = pass.Of(run);

    /// <summary>Tally of the time before it; null when it is not the first matching run of its process.</summary>
    public FirstCallTally? Before { get; } = ReferenceEquals(run, pass.Runs[0]) ? pass.Before : null;

    /// <summary>Wall time in ms.</summary>
    public double WallMs => FirstCallPass.Window(run) is var (start, stop) ? Milliseconds(stop - start) : 0;

    /// <summary>Time that the recorder kept the process waiting, in ms; 0 if it did not.</summary>
    public double? HeldMs => process.HeldMs;

    /// <summary>Time from launch to the run's clock, without the time that the recorder kept it waiting, in ms.</summary>
    public double? LaunchMs => run.LaunchMs - (process.HeldMs ?? 0);

    /// <summary>Whether events of a kind were recorded and readable up to the run's end.</summary>
    public bool Has(EventKinds kind)
    {
        foreach (var source in process.Sources)
        {
            if ((source.Kinds & kind) != 0)
                return !results.TryGetValue(source, out var result) || result.Reaches(kind, FirstCallPass.Window(run).Stop);
        }

        return false;
    }

    /// <summary>Whether an assembly has precompiled code.</summary>
    public bool IsPrecompiled(long assembly) => pass.IsPrecompiled(assembly);

    /// <summary>Converts ticks to ms.</summary>
    public double Milliseconds(long ticks) => process.Sources.Count > 0 ? process.Sources[0].Clock.ToMilliseconds(ticks) : ticks / 1e6;
}
