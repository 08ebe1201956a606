using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>What is known of one first call.</summary>
/// <param name="run">The run.</param>
/// <param name="process">Its process.</param>
/// <param name="pass">What was read of the process.</param>
/// <param name="results">What the passes found out about its sources.</param>
internal sealed class FirstCallMeasures(Run run, TracedProcess process, FirstCallPass pass, IReadOnlyDictionary<ITraceSource, TraceReadResult> results)
{
    public Run Run => run;

    /// <summary>What lies in the call.</summary>
    public FirstCallTally In { get; } = pass.Of(run);

    /// <summary>What lies before it; null when it is not the first run that counts in its process.</summary>
    public FirstCallTally? Before { get; } = ReferenceEquals(run, pass.Runs[0]) ? pass.Before : null;

    /// <summary>Wall time in ms.</summary>
    public double WallMs => FirstCallPass.Window(run) is var (start, stop) ? Milliseconds(stop - start) : 0;

    /// <summary>Time that the recorder kept the process waiting, in ms; 0 when it did not.</summary>
    public double? HeldMs => process.HeldMs;

    /// <summary>Time from the launch to the run's clock without what the recorder kept it waiting, in ms.</summary>
    public double? LaunchMs => run.LaunchMs - (process.HeldMs ?? 0);

    /// <summary>Whether events of a kind were recorded and could be read up to the run's end.</summary>
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

    /// <summary>Ticks in ms.</summary>
    public double Milliseconds(long ticks) => process.Sources.Count > 0 ? process.Sources[0].Clock.ToMilliseconds(ticks) : ticks / 1e6;
}
