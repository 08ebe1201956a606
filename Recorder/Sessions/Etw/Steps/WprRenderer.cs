using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>
/// Steps for WPR, whose profile defines the sessions. Syntax: "WPR Command-Line Options"
/// (learn.microsoft.com/windows-hardware/test/wpt/wpr-command-line-options).
/// </summary>
internal sealed class WprRenderer(EtwPlan plan, EtwTarget target) : EtwRenderer(plan, target)
{
    protected override EtwTool Tool => EtwTool.Wpr;

    protected override bool NamesSessions => false;

    /// <summary>Name of our instance; WPR adds text around it in the names of sessions.</summary>
    private string Instance => Plan.UserSessions[0].Name[..^Plan.UserSessions[0].Role.Length] + EtwTools.Wpr;

    /// <summary>Profile in the recording's folder with the choices for this recording.</summary>
    private string ProfileFile => Target.PathOf(WprProfileNames.FileName);

    private string[] InstanceArguments => ["-instancename", Instance]; // documented as the last option of every command

    protected override void Adapt()
    {
        NotPossible($"separate files of sessions: WPR merges them itself and keeps only {EtwPlan.MergedFileName}");
        NotPossible("names of sessions: WPR adds text around our instance's name");
        if (Plan.Kernel.IsPrivate)
            NotPossible($"a separate kernel session: profiles support only {EtwKernelSession.NtKernelLogger}");
        Plan = Plan with { Kernel = Plan.Kernel with { Name = EtwKernelSession.NtKernelLogger } };
        if (Plan.Rundown is not null)
            NotPossible(
                "a rundown in a separate session after the recording: the profile asks the runtimes for it when WPR stops (CaptureStateOnSave)"
            );
    }

    protected override EtwStep ListSessions() =>
        new(
            EtwStepKind.Sessions,
            "check the running sessions",
            "recordings of other tools are never touched; WPR's instances have different names"
        )
        {
            Command = EtwCommand.Of(EtwTools.Wpr, "-status"),
            NeedsElevation = true,
        };

    protected override IEnumerable<EtwStep> Start()
    {
        yield return new EtwStep(
            EtwStepKind.Profile,
            "write the profile",
            "it holds the sessions, providers, filters and buffers of this plan; Profiles/ has those of the presets"
        )
        {
            Action = $"write {ProfileFile}",
            Writes = [ProfileFile],
            Implements = ["kernel session", "stacks of kernel events", .. Plan.UserSessions.Select(session => $"session {session.Role}")],
        };
        if (Plan.Kernel.ChangesSampleInterval)
        {
            yield return new EtwStep(
                EtwStepKind.SampleInterval,
                "set the sample interval",
                "applies to the whole machine and is not part of a profile"
            )
            {
                Command = EtwCommand.Of(EtwTools.Wpr, "-setprofint", Number(Plan.Kernel.SampleInterval)),
                NeedsElevation = true,
                Undo = [EtwCommand.Of(EtwTools.Wpr, "-resetprofint")],
                Opens = [EtwStep.IntervalMark],
                Implements = ["sample interval"],
            };
        }

        yield return new EtwStep(EtwStepKind.StartKernel, "start the profile", "starts all its sessions at once")
        {
            Command = EtwCommand.Of(
                EtwTools.Wpr,
                [
                    "-start",
                    $"{ProfileFile}!{WprProfileNames.Of(Plan.Purpose)}.Verbose",
                    .. Plan.IsCircular ? [] : (string[])["-filemode", "-recordtempto", Target.PathOf("").TrimEnd(Target.Separator)],
                    .. InstanceArguments,
                ]
            ),
            NeedsElevation = true,
            Undo = [EtwCommand.Of(EtwTools.Wpr, ["-cancel", .. InstanceArguments])],
            Opens = [Instance],
            Implements = [Plan.IsCircular ? "circular memory" : "files"],
        };
    }

    protected override IEnumerable<EtwStep> Stop()
    {
        yield return new EtwStep(
            EtwStepKind.Stop,
            "stop, take the rundown, merge",
            "with this command WPR writes the memory of all sessions, makes the runtimes write the names of their methods, and merges"
                + (Plan.NgenPdbs ? "; it also creates PDB files of NGEN images" : "")
        )
        {
            Command = EtwCommand.Of(
                EtwTools.Wpr,
                [
                    "-stop",
                    MergedFile,
                    $"EtwSerializerProfiler {Plan.Purpose}",
                    .. Plan.NgenPdbs ? [] : (string[])["-skipPdbGen"],
                    .. Plan.Compress ? ["-compress"] : (string[])[],
                    .. InstanceArguments,
                ]
            ),
            NeedsElevation = true,
            Closes = [Instance],
            Writes = [MergedFile],
            Implements =
            [
                "merged file",
                "rundown",
                .. Plan.NgenPdbs ? ["NGEN PDBs"] : (string[])[],
                .. Plan.Compress ? ["compression"] : (string[])[],
            ],
        };
        if (Plan.Kernel.ChangesSampleInterval)
        {
            yield return new EtwStep(EtwStepKind.ResetInterval, "restore the sample interval", "other profilers expect 1 ms")
            {
                Command = EtwCommand.Of(EtwTools.Wpr, "-resetprofint"),
                NeedsElevation = true,
                Closes = [EtwStep.IntervalMark],
            };
        }
    }

    protected override IEnumerable<EtwStep> Rundown(EtwRundown rundown) => [];

    protected override IEnumerable<EtwStep> Merge() => [];
}
