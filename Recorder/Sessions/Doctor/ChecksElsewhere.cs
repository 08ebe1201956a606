namespace EtwSerializerProfiler.Sessions.Doctor;

/// <summary>
/// The checks of kernel events, samplers and attaching on systems other than Linux, where none of Linux's rights and limits apply.
/// </summary>
internal static class ChecksElsewhere
{
    private const string Own = "own processes on .NET 5 and later (DOTNET_EnableDiagnostics not 0";

    private const string NeedsEtw = "record with --sessions traceevent, elevated";

    /// <summary>Returns the checks.</summary>
    /// <param name="isWindows">Whether the system is Windows.</param>
    public static IReadOnlyList<MachineCheck> Of(bool isWindows)
    {
        var sampler = SamplerLadder.Steps.Single(step => step.Sampler == CpuSampler.EventPipe);
        var samples = $"EventPipe's sample profiler, weighted by the threads' CPU clocks: {sampler.Gives}; + {sampler.Costs}";
        return isWindows
            ?
            [
                new(MachineChecks.KernelEvents, Verdict.No, "the default sessions have none on Windows: no context switches", NeedsEtw),
                new(MachineChecks.CpuSamples, Verdict.Partly, samples, $"for native and kernel frames, {NeedsEtw}"),
                new(MachineChecks.Attach, Verdict.Partly, $"{Own})", "run elevated to attach to processes of other users"),
                new(MachineChecks.SystemWide, Verdict.No, "it is Linux's; ETW sessions always record all processes", NeedsEtw),
            ]
            :
            [
                new(MachineChecks.KernelEvents, Verdict.No, "they exist on Linux and Windows only: no context switches"),
                new(MachineChecks.CpuSamples, Verdict.Partly, samples),
                new(MachineChecks.Attach, Verdict.Partly, $"{Own}, the same TMPDIR)", "run as root to attach to processes of other users"),
                new(MachineChecks.SystemWide, Verdict.No, "it is Linux's"),
            ];
    }
}
