namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>The CPU samples of a run, on all threads of the process.</summary>
/// <param name="Count">Samples.</param>
/// <param name="CpuMs">CPU time they stand for, in ms: their sampling periods added up.</param>
/// <param name="KernelCount">Samples taken in kernel mode; null when the session was not permitted to sample the kernel.</param>
/// <param name="BrokenStacks">Samples whose stack does not reach the begin of its thread.</param>
public sealed record RunSamples(long Count, double CpuMs, long? KernelCount, long BrokenStacks)
{
    /// <summary>Share of the samples in kernel mode, in %; null without samples.</summary>
    public double? KernelPercent => Count > 0 ? 100.0 * KernelCount / Count : null;

    /// <summary>Share of the samples with a broken stack, in %; null without samples.</summary>
    public double? BrokenStackPercent => Count > 0 ? 100.0 * BrokenStacks / Count : null;
}
