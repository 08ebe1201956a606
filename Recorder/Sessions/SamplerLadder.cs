using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Ptrace;

namespace EtwSerializerProfiler.Sessions;

/// <summary>Ways to sample CPU time, the best one first: what each gives, what it costs, and whether it is permitted here.</summary>
public static class SamplerLadder
{
    /// <summary>A way to sample.</summary>
    /// <param name="Sampler">Its name for <c>--sampler</c>.</param>
    /// <param name="Gives">What it records.</param>
    /// <param name="Costs">How much longer the program takes with 1,000 samples a second and busy thread (docs/internals/recording.md).</param>
    /// <param name="Refusal">Why it is not permitted here and what allows it; null when it is permitted. For a launched program.</param>
    public sealed record Step(CpuSampler Sampler, string Gives, string Costs, Func<(string Reason, string Remedy)?> Refusal);

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Step> Steps { get; } =
    [
        new(CpuSampler.Perf, "CPU time of all threads, native and managed frames, context switches", "1–5 %", PerfRefusal),
        new(CpuSampler.Ptrace, "CPU time of all threads of a launched program, native and managed frames; no context switches", "4–9 %", PtraceSupport.Refusal),
        new(CpuSampler.None, "no CPU time; runs, GC, JIT, allocations and exceptions all the same", "nothing", () => null),
    ];

    /// <summary>Chooses the way that was asked for, or the best one that is permitted.</summary>
    /// <param name="sampler">What was asked for.</param>
    /// <param name="scope">Which threads are to be covered.</param>
    /// <param name="sampleRateHz">Samples a second.</param>
    /// <param name="stackDumpBytes">Bytes of user stack in a sample.</param>
    /// <param name="samplerCommand">How the ptrace sampler is started.</param>
    /// <returns>The plan, null for none; and one line for the user, empty when all went as he expects.</returns>
    /// <exception cref="SamplerException">What was asked for is not possible here.</exception>
    /// <exception cref="PerfEventException">All processes were asked for and may not be recorded.</exception>
    public static (KernelPlan? Plan, string Note) Choose(CpuSampler sampler, PerfEventScope scope, int sampleRateHz, int stackDumpBytes, IReadOnlyList<string> samplerCommand)
    {
        if (scope == PerfEventScope.SystemWide && sampler != CpuSampler.Ptrace)
            return (OperatingSystem.IsLinux() ? Perf() : throw new PerfEventException("all processes can be recorded on Linux only", "record one command"), "");
        if (sampler == CpuSampler.Ptrace)
        {
            if (scope != PerfEventScope.Launch)
                throw new SamplerException("ptrace samples one program that esp-record launches, not programs that run already", "launch it: esp-record --sampler ptrace -- COMMAND; or leave out --sampler ptrace");
            return PtraceSupport.Refusal() is var (reason, remedy) ? throw new SamplerException($"CPU time cannot be sampled by ptrace: {reason}", remedy) : (Ptrace(), "");
        }

        if (!OperatingSystem.IsLinux())
            return (null, $"no kernel session beside EventPipe on this system: CPU columns read \"not recorded\"{(OperatingSystem.IsWindows() ? "; --sessions traceevent records by ETW" : "")}");
        if (PerfRefusal() is not var (refusal, perfRemedy))
            return (Perf(), "");
        if (sampler == CpuSampler.Perf)
            throw new SamplerException($"perf events cannot be recorded: {refusal}", perfRemedy);
        if (sampler is CpuSampler.None or CpuSampler.EventPipe)
            return (null, $"no kernel session, no context switches: {refusal}");
        if (scope != PerfEventScope.Launch)
            return (null, $"no kernel session, no CPU time: {refusal}{(perfRemedy.Length > 0 ? "; " + perfRemedy : "")}");
        return PtraceSupport.Refusal() is var (why, _)
            ? (null, $"no kernel session, no CPU time: {refusal}, and {why}; 'esp-record doctor' says what allows it")
            : (Ptrace(), $"CPU time is sampled by ptrace, because {refusal}; context switches are not recorded ('esp-record doctor' says what allows them)");

        PerfEventPlan Perf() => PerfEventPlan.Create(scope, sampleRateHz, samples: sampler is CpuSampler.Auto or CpuSampler.Perf, stackDumpBytes: stackDumpBytes);

        PtracePlan Ptrace() => PtracePlan.Create(samplerCommand, sampleRateHz, stackDumpBytes);
    }

    private static (string Reason, string Remedy)? PerfRefusal() => PerfEventSession.Probe() is not { } refusal ? null : (refusal.Problem.What, refusal.Remedy);
}
