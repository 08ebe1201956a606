using System.Globalization;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>Makes the steps of one tool; the order of the steps is the same for all of them.</summary>
/// <remarks>
/// User sessions start before the kernel session, which fills its buffers fastest. At the end all are flushed or stopped at one moment, then the rundown
/// is taken in a session of its own, so that it disturbs nothing that is recorded, then the files are merged.
/// </remarks>
internal abstract class EtwRenderer(EtwPlan plan, EtwTarget target)
{
    private readonly List<string> _notPossible = [];

    /// <summary>The tool.</summary>
    protected abstract EtwTool Tool { get; }

    /// <summary>The plan as this tool carries it out.</summary>
    protected EtwPlan Plan { get; set; } = plan;

    /// <summary>What is recorded and where to.</summary>
    protected EtwTarget Target { get; } = target;

    /// <summary>Names of all sessions that run while the program does, user sessions first.</summary>
    protected IEnumerable<string> SessionNames => Plan.UserSessions.Select(session => session.Name).Append(Plan.Kernel.Name);

    /// <summary>Renders a plan.</summary>
    public static EtwSteps Render(EtwTool tool, EtwPlan plan, EtwTarget target)
    {
        EtwRenderer renderer = tool switch
        {
            EtwTool.TraceEvent => new TraceEventRenderer(plan, target),
            EtwTool.Xperf => new XperfRenderer(plan, target),
            EtwTool.Tracelog => new TracelogRenderer(plan, target),
            _ => new WprRenderer(plan, target),
        };
        return renderer.Render();
    }

    /// <summary>Says what the tool cannot do and what it does instead.</summary>
    protected void NotPossible(string what)
    {
        var sentence = $"not possible with {EtwTools.NameOf(Tool)}: {what}";
        if (!_notPossible.Contains(sentence))
            _notPossible.Add(sentence);
    }

    /// <summary>Whether the tool starts sessions under the names of the plan, so that they can be looked for.</summary>
    protected virtual bool NamesSessions => true;

    /// <summary>Lists the sessions that run.</summary>
    protected abstract EtwStep ListSessions();

    /// <summary>Everything that starts, up to the program's start.</summary>
    protected abstract IEnumerable<EtwStep> Start();

    /// <summary>Flushes and stops what runs.</summary>
    protected abstract IEnumerable<EtwStep> Stop();

    /// <summary>The rundown, when the plan has one.</summary>
    protected abstract IEnumerable<EtwStep> Rundown(EtwRundown rundown);

    /// <summary>Makes one file.</summary>
    protected abstract IEnumerable<EtwStep> Merge();

    /// <summary>Files that are merged, user sessions first.</summary>
    protected IReadOnlyList<string> PartFiles() => [.. Plan.AllUserSessions.Select(session => Target.PathOf(session.FileName)), Target.PathOf(Plan.Kernel.FileName)];

    /// <summary>Path of the merged file.</summary>
    protected string MergedFile => Target.PathOf(EtwPlan.MergedFileName);

    /// <summary>A number as Windows' tools read it.</summary>
    protected static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);

    /// <summary>What a step of the rundown's wait looks like for every tool.</summary>
    protected static EtwStep WaitFor(EtwRundown rundown) => new(
        EtwStepKind.WaitRundown,
        string.Create(CultureInfo.InvariantCulture, $"wait {rundown.Wait.TotalSeconds:0.#} s for the rundown"),
        "each running .NET process writes the names of its methods; nothing tells when the last one is done (a large one takes half a minute)")
    {
        Action = "wait",
        Wait = rundown.Wait,
    };

    /// <summary>Merging by WPR, which makes NGEN PDBs; by xperf otherwise.</summary>
    protected EtwStep MergeByCommand()
    {
        var parts = PartFiles();
        var compress = Plan.Compress ? new[] { "-compress" } : [];
        var merge = new EtwStep(EtwStepKind.Merge, "merge", "one file with the identity of every image, the drives' names and the decoding of events: without them no symbols are found on another machine")
        {
            NeedsElevation = true,
            Writes = [MergedFile],
            Implements = Plan.Compress ? ["merged file", "compression"] : ["merged file"],
        };
        return Plan.NgenPdbs
            ? merge with
            {
                Why = merge.Why + "; wpr because it makes PDB files of .NET Framework's precompiled images (NGEN) beside the file, which name their methods",
                Implements = [.. merge.Implements, "NGEN PDBs"],
                Command = EtwCommand.Of(EtwTools.Wpr, ["-merge", .. parts, MergedFile, .. compress]),
            }
            : merge with { Command = EtwCommand.Of(EtwTools.Xperf, ["-merge", .. parts, MergedFile, .. compress]) };
    }

    private EtwSteps Render()
    {
        Adapt();
        List<EtwStep> steps = [Elevation(), ListSessions(), Note(), .. Start(), .. NamesSessions ? [Verify()] : (EtwStep[])[], Run(), .. Stop()];
        if (Plan.Rundown is { } rundown)
            steps.AddRange(Rundown(rundown));
        steps.AddRange(Merge());
        steps.Add(Check());
        steps.Add(Forget());
        return new EtwSteps(Tool, Plan, Target, steps, _notPossible);
    }

    /// <summary>Replaces what the tool cannot do.</summary>
    protected virtual void Adapt()
    {
    }

    private static EtwStep Elevation() => new(EtwStepKind.Elevation, "ask for administrator's rights", "kernel events and providers of other users' processes need them; said before anything is started")
    {
        Action = "TraceEventSession.IsElevated; when not elevated: end with exit code 4 and say how to start elevated",
        NeedsElevation = true,
    };

    private EtwStep Note() => new(EtwStepKind.Note, "leave a note", "a recorder that is killed cannot stop its sessions, which outlive it: 'esp-record sessions' finds them by this note and by their names, 'esp-record stop' stops them")
    {
        Action = $"write {Target.NotesFolder}\\<process id>.json: {string.Join(", ", SessionNames)}; files in {Target.PathOf("")}",
        UndoAction = "delete the note",
        Opens = [EtwStep.NoteMark],
    };

    private EtwStep Verify() => ListSessions() with
    {
        Kind = EtwStepKind.Verify,
        Title = "make sure that all sessions run",
        Why = "tools have been seen to report success without a session; the program then would run for nothing",
    };

    private EtwStep Run()
    {
        var environment = new Dictionary<string, string>(Target.Environment);
        if (Plan.HasInlineTrees)
            environment.TryAdd(Launch.RuntimeVariables.RichDebugInfo, "1");
        return Target.Command.Count == 0
            ? new EtwStep(EtwStepKind.Run, "record until told to stop", "what is recorded runs already, or is started by hand") { Action = "wait for Ctrl+C" }
            : new EtwStep(EtwStepKind.Run, "run the program, not elevated", "what is measured must not run with rights that it does not have otherwise: other code paths, other owners of files")
            {
                Command = new EtwCommand(Target.Command[0], [.. Target.Command.Skip(1)]),
                Action = "started with the token of the desktop's shell (CreateProcessWithTokenW); where there is no shell (a service, ssh) with the recorder's own, and the recording says so",
                UndoAction = "end the program and what it started",
                Environment = environment,
                Implements = Plan.HasInlineTrees ? ["inline trees"] : [],
            };
    }

    private EtwStep Check() => new(EtwStepKind.Check, "look at what was recorded", "lost events and missing runs are found now, while it can be recorded again")
    {
        Action = $"open {MergedFile}: lost events and buffers, runs by their marks; 'esp-analyze table {MergedFile}' prints the table",
    };

    private static EtwStep Forget() => new(EtwStepKind.Forget, "remove the note", "no session of this recording is left")
    {
        Action = "delete the note",
        Closes = [EtwStep.NoteMark],
    };
}
