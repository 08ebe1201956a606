using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>Every combination of tool, purpose, mode and the other choices.</summary>
internal static class EtwCases
{
    public static RecordingMode[] Modes { get; } = [RecordingMode.File, RecordingMode.Circular(256 << 20)];

    /// <summary>Choices other than purpose and mode, by a name.</summary>
    public static IReadOnlyList<(string Name, EtwPlanOptions Options)> Choices { get; } =
    [
        ("default", Of(EtwPurpose.Runs)),
        ("interval", Of(EtwPurpose.Runs) with { SampleInterval = 100_000 }),
        (
            "filters",
            Of(EtwPurpose.Runs) with
            {
                StackFilter = EtwEventFilter.Without(10, 9),
                EventFilter = EtwEventFilter.Without(23, 2, 9),
            }
        ),
        ("one session", Of(EtwPurpose.Runs) with { SingleSession = true }),
        ("one session with ticks", Of(EtwPurpose.Runs) with { SingleSession = true, Allocation = AllocationEvents.Ticks }),
        ("lines", Of(EtwPurpose.Runs) with { Lines = true }),
        ("lines, one session", Of(EtwPurpose.Runs) with { Lines = true, SingleSession = true }),
        ("pdbs", Of(EtwPurpose.Runs) with { NgenPdbs = true, Compress = true }),
        ("compressed", Of(EtwPurpose.Runs) with { Compress = true }),
        ("no rundown", Of(EtwPurpose.Runs) with { RundownWait = TimeSpan.Zero, InlineInfo = false }),
        (
            "kernel",
            Of(EtwPurpose.Runs) with
            {
                NtKernelLogger = true,
                MoreKernelEvents =
                    KernelEvents.DiskIo
                    | KernelEvents.HardFaults
                    | KernelEvents.FileIo
                    | KernelEvents.Dpc
                    | KernelEvents.Interrupt
                    | KernelEvents.VirtualAlloc,
            }
        ),
        ("nt kernel logger", Of(EtwPurpose.Exceptions) with { NtKernelLogger = true }),
        ("sampled", Of(EtwPurpose.Allocation) with { Allocation = AllocationEvents.Sampled }),
    ];

    public static EtwTarget Target { get; } = new(@"C:\rec ordings\r1", ["C:\\my app\\app.exe", "-n", "1000", "say \"hi\""]);

    public static EtwPlanOptions Of(EtwPurpose purpose) => new() { Purpose = purpose, SessionPrefix = "esp-4711-" };

    public static EtwSteps Steps(EtwTool tool, EtwPlanOptions options) =>
        EtwStepFactory.Create(tool, EtwPresets.Create(options, EtwMachine.Typical), Target);

    /// <summary>All cases.</summary>
    public static IEnumerable<EtwSteps> All()
    {
        foreach (var tool in Enum.GetValues<EtwTool>())
        {
            foreach (var mode in Modes)
            {
                foreach (var purpose in Enum.GetValues<EtwPurpose>())
                    yield return Steps(tool, Of(purpose) with { Mode = mode });
                foreach (var (_, options) in Choices)
                    yield return Steps(tool, options with { Mode = mode });
            }
        }
    }
}
