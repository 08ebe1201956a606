using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>
/// Steps for WPR, whose sessions stand in a profile. Syntax: "WPR Command-Line Options"
/// (learn.microsoft.com/windows-hardware/test/wpt/wpr-command-line-options).
/// </summary>
internal sealed class WprRenderer(EtwPlan plan, EtwTarget target) : EtwRenderer(plan, target)
{
    protected override EtwTool Tool => EtwTool.Wpr;

    protected override bool NamesSessions => false;

    /// <summary>Our instance: WPR puts its own text around it in the names of sessions.</summary>
    private string Instance => Plan.UserSessions[0].Name[..^Plan.UserSessions[0].Role.Length] + EtwTools.Wpr;

    /// <summary>Profile in the recording's folder: it holds what was chosen for this recording.</summary>
    private string ProfileFile => Target.PathOf(WprProfileNames.FileName);

    private string[] InstanceArguments => ["-instancename", Instance]; // documented as the last option of every command

    protected override void Adapt()
    {
        NotPossible($"files of single sessions: WPR merges by itself and keeps {EtwPlan.MergedFileName} only");
        NotPossible("names of sessions: WPR puts a text of its own around our instance's name");
        if (Plan.Kernel.IsPrivate)
            NotPossible($"a kernel session of its own by name: profiles have {EtwKernelSession.NtKernelLogger} only");
        Plan = Plan with { Kernel = Plan.Kernel with { Name = EtwKernelSession.NtKernelLogger } };
        if (Plan.Rundown is not null)
            NotPossible("a rundown in a session of its own after the recording: the profile asks the runtimes for it when WPR stops (CaptureStateOnSave)");
    }

    protected override EtwStep ListSessions() => new(EtwStepKind.Sessions, "look at the sessions that run", "a recording of somebody else's is never touched; WPR's instances are told apart by name")
    {
        Command = EtwCommand.Of(EtwTools.Wpr, "-status"),
        NeedsElevation = true,
    };

    protected override IEnumerable<EtwStep> Start()
    {
        yield return new EtwStep(EtwStepKind.Profile, "write the profile", "it holds the sessions, providers, filters and buffers of this plan; Profiles/ has those of the presets")
        {
            Action = $"write {ProfileFile}",
            Writes = [ProfileFile],
            Implements = ["kernel session", "stacks of kernel events", .. Plan.UserSessions.Select(session => $"session {session.Role}")],
        };
        if (Plan.Kernel.ChangesSampleInterval)
        {
            yield return new EtwStep(EtwStepKind.SampleInterval, "set the sample interval", "of the whole machine, and no part of a profile")
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
                    "-start", $"{ProfileFile}!{WprProfileNames.Of(Plan.Purpose)}.Verbose",
                    .. Plan.IsCircular ? [] : (string[])["-filemode", "-recordtempto", Target.PathOf("").TrimEnd(Target.Separator)],
                    .. InstanceArguments,
                ]),
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
            "WPR writes the memory of all sessions, has the runtimes write the names of their methods and merges by this one command" + (Plan.NgenPdbs ? "; it also makes PDB files of NGEN images" : ""))
        {
            Command = EtwCommand.Of(
                EtwTools.Wpr,
                [
                    "-stop", MergedFile, $"EtwSerializerProfiler {Plan.Purpose}",
                    .. Plan.NgenPdbs ? [] : (string[])["-skipPdbGen"],
                    .. Plan.Compress ? ["-compress"] : (string[])[],
                    .. InstanceArguments,
                ]),
            NeedsElevation = true,
            Closes = [Instance],
            Writes = [MergedFile],
            Implements = ["merged file", "rundown", .. Plan.NgenPdbs ? ["NGEN PDBs"] : (string[])[], .. Plan.Compress ? ["compression"] : (string[])[]],
        };
        if (Plan.Kernel.ChangesSampleInterval)
        {
            yield return new EtwStep(EtwStepKind.ResetInterval, "set the sample interval back", "other profilers expect 1 ms")
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
