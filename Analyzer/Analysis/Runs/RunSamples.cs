namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>The CPU samples of a run, on all threads of the process.</summary>
/// <param name="Count">Number of samples.</param>
/// <param name="CpuMs">CPU time that they represent, in ms: the sum of their sampling periods.</param>
/// <param name="KernelCount">Number of samples in kernel mode; null when the session could not sample the kernel.</param>
/// <param name="BrokenStacks">Number of samples whose stack does not reach the start of its thread.</param>
public sealed record RunSamples(long Count, double CpuMs, long? KernelCount, long BrokenStacks)
{
    /// <summary>Share of the samples in kernel mode, in %; null without samples.</summary>
    public double? KernelPercent => Count > 0 ? 100.0 * KernelCount / Count : null;

    /// <summary>Share of the samples with a broken stack, in %; null without samples.</summary>
    public double? BrokenStackPercent => Count > 0 ? 100.0 * BrokenStacks / Count : null;
}
