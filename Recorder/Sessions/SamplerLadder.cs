using EtwSerializerProfiler.Sessions.Clocks;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Ptrace;

namespace EtwSerializerProfiler.Sessions;

/// <summary>The CPU samplers, best first: what each records, what it costs, and whether it is permitted here.</summary>
public static class SamplerLadder
{
    /// <summary>A CPU sampler.</summary>
    /// <param name="Sampler">Its name for <c>--sampler</c>.</param>
    /// <param name="Gives">What it records.</param>
    /// <param name="Costs">Overhead for 1,000 samples per second and busy thread (docs/internals/recording.md).</param>
    /// <param name="Refusal">Reason and fix when it is not permitted here for a launched program; null when it is permitted.</param>
    public sealed record Step(CpuSampler Sampler, string Gives, string Costs, Func<(string Reason, string Fix)?> Refusal);

    /// <summary>All samplers, best first.</summary>
    public static IReadOnlyList<Step> Steps { get; } =
    [
        new(CpuSampler.Perf, "CPU time of all threads, native and managed frames, context switches", "1–5 %", PerfRefusal),
        new(
            CpuSampler.Ptrace,
            "CPU time of all threads of a launched program, native and managed frames; no context switches",
            "4–6 %",
            PtraceSupport.Refusal
        ),
        new(
            CpuSampler.EventPipe,
            "CPU time of managed threads, also of running programs; managed frames at safe points, no context switches",
            "6–25 %",
            () => null
        ),
        new(CpuSampler.None, "no CPU time, but runs, GC, JIT, allocations and exceptions", "nothing", () => null),
    ];

    /// <summary>Chooses the requested sampler, or the best permitted one.</summary>
    /// <param name="sampler">The requested sampler.</param>
    /// <param name="scope">The threads to record.</param>
    /// <param name="sampleRateHz">Samples per second.</param>
    /// <param name="stackDumpBytes">Bytes of user stack in a sample.</param>
    /// <param name="samplerCommand">Command line that starts the ptrace sampler.</param>
    /// <param name="switchStackBytes">
    /// Bytes of user stack at each context switch; 0 for only the call chain of sched_switch, null for no stacks.
    /// </param>
    /// <param name="ringBytes">Ring of a CPU for perf events; 0 for the default.</param>
    /// <exception cref="SamplerException">The requested sampler is not possible here.</exception>
    /// <exception cref="PerfEventException">All processes were requested, which is not permitted.</exception>
    public static SamplerChoice Choose(
        CpuSampler sampler,
        PerfEventScope scope,
        int sampleRateHz,
        int stackDumpBytes,
        IReadOnlyList<string> samplerCommand,
        int? switchStackBytes = 0,
        int ringBytes = 0
    )
    {
        var withPerf = sampler == CpuSampler.Auto ? CpuSampler.Perf : sampler;
        if (scope == PerfEventScope.SystemWide && sampler != CpuSampler.Ptrace)
            return new(
                withPerf,
                OperatingSystem.IsLinux()
                    ? Perf()
                    : throw new PerfEventException("all processes can be recorded on Linux only", "record one command"),
                ""
            );
        if (sampler == CpuSampler.Ptrace)
        {
            if (scope != PerfEventScope.Launch)
                throw new SamplerException(
                    "ptrace can sample only a program that esp-record launches, not a running one",
                    "launch it: esp-record --sampler ptrace -- COMMAND; or leave out --sampler ptrace"
                );
            return PtraceSupport.Refusal() is var (reason, fix)
                ? throw new SamplerException($"CPU time cannot be sampled by ptrace: {reason}", fix)
                : new(CpuSampler.Ptrace, Ptrace(), "");
        }

        if (PerfRefusal() is not var (refusal, perfFix))
            return new(withPerf, Perf(), "");
        if (sampler == CpuSampler.Perf)
            throw new SamplerException($"perf events cannot be recorded: {refusal}", perfFix);
        var switches = OperatingSystem.IsLinux() ? refusal : Ways;
        if (sampler == CpuSampler.None)
            return new(CpuSampler.None, null, $"no kernel session, no context switches: {switches}");
        if (sampler == CpuSampler.EventPipe)
            return new(CpuSampler.EventPipe, ThreadClockPlan.Create(), $"no context switches: {switches}");
        var ptraceRefusal = scope == PerfEventScope.Launch ? PtraceSupport.Refusal() : null;
        if (scope == PerfEventScope.Launch && ptraceRefusal is null)
            return new(CpuSampler.Ptrace, Ptrace(), $"CPU time is sampled by ptrace, because {refusal}; {NoSwitches}");
        var because = !OperatingSystem.IsLinux() ? "" : $", because {refusal}{(ptraceRefusal is var (why, _) ? $", and {why}" : "")}";
        var by = $"CPU time is sampled by EventPipe's sample profiler (managed frames at safe points){because}";
        return new(CpuSampler.EventPipe, ThreadClockPlan.Create(), $"{by}; {NoSwitches}");

        PerfEventPlan Perf() =>
            PerfEventPlan.Create(
                scope,
                sampleRateHz,
                samples: sampler is CpuSampler.Auto or CpuSampler.Perf,
                stackDumpBytes: stackDumpBytes,
                switchStackBytes: switchStackBytes,
                ringBytes: ringBytes
            );

        PtracePlan Ptrace() => PtracePlan.Create(samplerCommand, sampleRateHz, stackDumpBytes);
    }

    private static string Ways =>
        OperatingSystem.IsWindows() ? "--sessions traceevent, elevated, records them by ETW"
        : OperatingSystem.IsLinux() ? "'esp-record doctor' shows how to allow them"
        : "they need Linux or Windows";

    private static string NoSwitches => $"context switches are not recorded ({Ways})";

    private static (string Reason, string Fix)? PerfRefusal() =>
        !OperatingSystem.IsLinux() ? ("perf events exist on Linux only", "leave out --sampler perf")
        : PerfEventSession.Probe() is not { } refusal ? null
        : (refusal.Problem.What, refusal.Fix);
}

/// <summary>The chosen CPU sampler.</summary>
/// <param name="Sampler">The sampler.</param>
/// <param name="Plan">The kernel session; null for none.</param>
/// <param name="Note">One line for the user; empty when the choice is the expected one.</param>
public sealed record SamplerChoice(CpuSampler Sampler, KernelPlan? Plan, string Note);
