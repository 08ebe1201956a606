using System.Globalization;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>Creates the steps of one tool; all tools have the same order of steps.</summary>
/// <remarks>
/// User sessions start before the kernel session, which fills its buffers fastest. At the end all sessions are flushed or stopped at the
/// same moment. Then the rundown runs in a session of its own, so that it does not disturb the recording. Finally the files are merged.
/// </remarks>
internal abstract class EtwRenderer(EtwPlan plan, EtwTarget target)
{
    private readonly List<string> _notPossible = [];

    /// <summary>The tool.</summary>
    protected abstract EtwTool Tool { get; }

    /// <summary>The plan after adapting it to the tool.</summary>
    protected EtwPlan Plan { get; set; } = plan;

    /// <summary>Command and folder of the recording.</summary>
    protected EtwTarget Target { get; } = target;

    /// <summary>Names of all sessions that run during the program, user sessions first.</summary>
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

    /// <summary>Adds a sentence on what the tool cannot do and what it does instead.</summary>
    protected void NotPossible(string what)
    {
        var sentence = $"not possible with {EtwTools.NameOf(Tool)}: {what}";
        if (!_notPossible.Contains(sentence))
            _notPossible.Add(sentence);
    }

    /// <summary>Whether the tool starts sessions under the names of the plan, so that they can be verified.</summary>
    protected virtual bool NamesSessions => true;

    /// <summary>Lists the running sessions.</summary>
    protected abstract EtwStep ListSessions();

    /// <summary>All steps up to the program's start.</summary>
    protected abstract IEnumerable<EtwStep> Start();

    /// <summary>Flushes and stops the sessions.</summary>
    protected abstract IEnumerable<EtwStep> Stop();

    /// <summary>The steps of the rundown, if the plan has one.</summary>
    protected abstract IEnumerable<EtwStep> Rundown(EtwRundown rundown);

    /// <summary>Creates the merged file.</summary>
    protected abstract IEnumerable<EtwStep> Merge();

    /// <summary>Files to merge, user sessions first.</summary>
    protected IReadOnlyList<string> PartFiles() =>
        [.. Plan.AllUserSessions.Select(session => Target.PathOf(session.FileName)), Target.PathOf(Plan.Kernel.FileName)];

    /// <summary>Path of the merged file.</summary>
    protected string MergedFile => Target.PathOf(EtwPlan.MergedFileName);

    /// <summary>Formats a number for Windows' tools.</summary>
    protected static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);

    /// <summary>The waiting step of the rundown; the same for every tool.</summary>
    protected static EtwStep WaitFor(EtwRundown rundown) =>
        new(
            EtwStepKind.WaitRundown,
            string.Create(CultureInfo.InvariantCulture, $"wait {rundown.Wait.TotalSeconds:0.#} s for the rundown"),
            "each running .NET process writes the names of its methods; no event signals when the last one is done (a large one takes half a minute)"
        )
        {
            Action = "wait",
            Wait = rundown.Wait,
        };

    /// <summary>Merges by WPR, which creates NGEN PDBs, or otherwise by xperf.</summary>
    protected EtwStep MergeByCommand()
    {
        var parts = PartFiles();
        var compress = Plan.Compress ? new[] { "-compress" } : [];
        var merge = new EtwStep(
            EtwStepKind.Merge,
            "merge",
            "one file with the identity of every image, the drives' names and the decoding of events: another machine needs these to find symbols"
        )
        {
            NeedsElevation = true,
            Writes = [MergedFile],
            Implements = Plan.Compress ? ["merged file", "compression"] : ["merged file"],
        };
        return Plan.NgenPdbs
            ? merge with
            {
                Why =
                    merge.Why
                    + "; wpr because it also creates PDB files with the method names of .NET Framework's precompiled images (NGEN)",
                Implements = [.. merge.Implements, "NGEN PDBs"],
                Command = EtwCommand.Of(EtwTools.Wpr, ["-merge", .. parts, MergedFile, .. compress]),
            }
            : merge with
            {
                Command = EtwCommand.Of(EtwTools.Xperf, ["-merge", .. parts, MergedFile, .. compress]),
            };
    }

    private EtwSteps Render()
    {
        Adapt();
        List<EtwStep> steps =
        [
            Elevation(),
            ListSessions(),
            Note(),
            .. Start(),
            .. NamesSessions ? [Verify()] : (EtwStep[])[],
            Run(),
            .. Stop(),
        ];
        if (Plan.Rundown is { } rundown)
            steps.AddRange(Rundown(rundown));
        steps.AddRange(Merge());
        steps.Add(Check());
        steps.Add(Forget());
        return new EtwSteps(Tool, Plan, Target, steps, _notPossible);
    }

    /// <summary>Replaces parts of the plan that the tool cannot do.</summary>
    protected virtual void Adapt() { }

    private static EtwStep Elevation() =>
        new(
            EtwStepKind.Elevation,
            "check administrator rights",
            "kernel events and providers of other users' processes need them; checked before anything starts"
        )
        {
            Action = "TraceEventSession.IsElevated; when not elevated: end with exit code 4 and explain how to start elevated",
            NeedsElevation = true,
        };

    private EtwStep Note() =>
        new(
            EtwStepKind.Note,
            "write a session ledger entry",
            "sessions outlive a killed recorder: 'esp-record sessions' finds them by this entry and by their names, 'esp-record stop' stops them"
        )
        {
            Action = $"write {Target.NotesFolder}\\<process id>.json: {string.Join(", ", SessionNames)}; files in {Target.PathOf("")}",
            UndoAction = "delete the entry",
            Opens = [EtwStep.NoteMark],
        };

    private EtwStep Verify() =>
        ListSessions() with
        {
            Kind = EtwStepKind.Verify,
            Title = "check that all sessions run",
            Why = "tools sometimes report success without starting a session; the program would then run in vain",
        };

    private EtwStep Run()
    {
        var environment = new Dictionary<string, string>(Target.Environment);
        if (Plan.HasInlineTrees)
            environment.TryAdd(Launch.RuntimeVariables.RichDebugInfo, "1");
        return Target.Command.Count == 0
            ? new EtwStep(EtwStepKind.Run, "record until Ctrl+C", "the program is already running, or you start it")
            {
                Action = "wait for Ctrl+C",
            }
            : new EtwStep(
                EtwStepKind.Run,
                "run the program, not elevated",
                "with other rights than usual, the measured program would take other code paths and create files of another owner"
            )
            {
                Command = new EtwCommand(Target.Command[0], [.. Target.Command.Skip(1)]),
                Action =
                    "started with the token of the desktop's shell (CreateProcessWithTokenW); without a shell (a service, ssh) with the recorder's own, which the recording notes",
                UndoAction = "kill the program and its child processes",
                Environment = environment,
                Implements = Plan.HasInlineTrees ? ["inline trees"] : [],
            };
    }

    private EtwStep Check() =>
        new(EtwStepKind.Check, "check the recording", "finds lost events and missing runs now, while you can still record again")
        {
            Action = $"open {MergedFile}: lost events and buffers, runs by their marks; 'esp-analyze table {MergedFile}' prints the table",
        };

    private static EtwStep Forget() =>
        new(EtwStepKind.Forget, "remove the session ledger entry", "no session of this recording is left")
        {
            Action = "delete the entry",
            Closes = [EtwStep.NoteMark],
        };
}
