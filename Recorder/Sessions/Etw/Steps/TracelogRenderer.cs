using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>
/// Steps for tracelog. Syntax: "Tracelog Command Syntax" (learn.microsoft.com/windows-hardware/drivers/devtest/tracelog-command-syntax) and
/// the usage text of tracelog 10.0.19041. xperf does what tracelog cannot: flush all sessions at once, and merge.
/// </summary>
internal sealed class TracelogRenderer(EtwPlan plan, EtwTarget target) : EtwRenderer(plan, target)
{
    /// <summary>EVENT_ENABLE_PROPERTY_STACK_TRACE of evntrace.h.</summary>
    private const int StackTraceProperty = 0x4;

    /// <summary>Profile source of CPU samples.</summary>
    private const string Timer = "Timer";

    protected override EtwTool Tool => EtwTool.Tracelog;

    protected override void Adapt()
    {
        if (Plan.IsCircular)
            NotPossible(
                "writing the memory of several sessions by one command; xperf -flush does it (flushed one after the other, they have ended minutes apart)"
            );
        if (!Plan.NgenPdbs)
            NotPossible("merging; xperf -merge does it");
        else
            NotPossible("merging and NGEN PDBs; wpr -merge does both");
        if (!Plan.IsCircular)
            NotPossible("stopping several sessions by one command; xperf -stop does it");
    }

    protected override EtwStep ListSessions() =>
        new(EtwStepKind.Sessions, "check the running sessions", "sessions of other tools are never touched")
        {
            Command = EtwCommand.Of(EtwTools.Tracelog, "-l"),
            NeedsElevation = true,
        };

    protected override IEnumerable<EtwStep> Start()
    {
        foreach (var session in Plan.UserSessions)
        {
            foreach (
                var step in StartUser(
                    session,
                    EtwStepKind.StartUser,
                    $"start session {session.Role}",
                    session.Purpose,
                    $"session {session.Role}",
                    Plan.IsCircular
                )
            )
                yield return step;
        }

        yield return new EtwStep(
            EtwStepKind.StartKernel,
            "start the kernel session",
            "last, because it fills its buffers fastest; stacks use the toolkit's event names (tracelog documents its own only in 'tracelog -eflag Help')"
        )
        {
            Command = EtwCommand.Of(EtwTools.Tracelog, StartKernel()),
            NeedsElevation = true,
            Undo = [StopCommand(Plan.Kernel.Name), .. Plan.Kernel.ChangesSampleInterval ? [ResetInterval()] : (EtwCommand[])[]],
            Opens = [Plan.Kernel.Name],
            Writes = Plan.IsCircular ? [] : [Target.PathOf(Plan.Kernel.FileName)],
            Implements =
            [
                "kernel session",
                "stacks of kernel events",
                .. Plan.Kernel.ChangesSampleInterval ? ["sample interval"] : (string[])[],
            ],
        };
    }

    protected override IEnumerable<EtwStep> Stop()
    {
        if (Plan.IsCircular)
            yield return XperfRenderer.FlushStep(Plan, Target);
        yield return new EtwStep(EtwStepKind.Stop, "stop all sessions", "by one command of xperf, so that all sessions cover the same time")
        {
            Command = EtwCommand.Of(EtwTools.Xperf, SessionNames.SelectMany(name => new[] { "-stop", name })),
            NeedsElevation = true,
            Closes = [.. SessionNames],
        };
        if (Plan.Kernel.ChangesSampleInterval)
        {
            yield return new EtwStep(
                EtwStepKind.ResetInterval,
                "restore the sample interval",
                "other profilers expect 1 ms; tracelog changes it only with a session, hence wpr"
            )
            {
                Command = ResetInterval(),
                NeedsElevation = true,
            };
        }
    }

    protected override IEnumerable<EtwStep> Rundown(EtwRundown rundown)
    {
        foreach (
            var step in StartUser(
                rundown.Session,
                EtwStepKind.StartRundown,
                "start the rundown's session",
                "names of methods of running processes; after the recording, so that the rundown does not disturb it",
                "rundown",
                circular: false
            )
        )
        {
            yield return step;
        }

        yield return WaitFor(rundown);
        yield return new EtwStep(EtwStepKind.StopRundown, "end the rundown", "its file is complete")
        {
            Command = StopCommand(rundown.Session.Name),
            NeedsElevation = true,
            Closes = [rundown.Session.Name],
        };
    }

    protected override IEnumerable<EtwStep> Merge() => [MergeByCommand()];

    private static EtwCommand StopCommand(string session) => EtwCommand.Of(EtwTools.Tracelog, "-stop", session);

    private static EtwCommand ResetInterval() => EtwCommand.Of(EtwTools.Wpr, "-resetprofint");

    private IEnumerable<EtwStep> StartUser(EtwUserSession session, EtwStepKind kind, string title, string why, string part, bool circular)
    {
        yield return new EtwStep(kind, title, why)
        {
            Command = EtwCommand.Of(
                EtwTools.Tracelog,
                [
                    "-start",
                    session.Name,
                    .. circular ? ["-buffering"] : (string[])["-f", Target.PathOf(session.FileName)],
                    .. BufferArguments(session.Buffers),
                    "-independent",
                ]
            ),
            NeedsElevation = true,
            Undo = [StopCommand(session.Name)],
            Opens = [session.Name],
            Writes = circular ? [] : [Target.PathOf(session.FileName)],
            Session = session,
            Implements = [part],
        };
        foreach (var provider in session.Providers)
        {
            yield return new EtwStep(EtwStepKind.EnableProvider, $"{session.Role}: enable {provider.Name}", provider.Purpose)
            {
                Command = EtwCommand.Of(EtwTools.Tracelog, EnableProvider(session, provider)),
                NeedsElevation = true,
                Session = session,
                Provider = provider,
                Implements = [$"{part}: {provider.Name}"],
            };
        }
    }

    /// <summary>
    /// A stack filter chooses among the stacks that the property requests. Common practice gives tracelog only the filter; TraceEvent's
    /// EnableProvider sets the property with every stack filter, so this does the same.
    /// </summary>
    private static IEnumerable<string> EnableProvider(EtwUserSession session, EtwProvider provider) =>
        [
            "-enableex",
            session.Name,
            "-guid",
            $"#{provider.Id:D}",
            "-matchanykw",
            provider.KeywordText,
            "-level",
            Number((int)provider.Level),
            .. provider.Stacks ? ["-enableproperty", Number(StackTraceProperty)] : (string[])[],
            .. provider.Stacks && provider.StackFilter is { } stacks ? Filter("-StackWalkFilter", stacks) : [],
            .. provider.EventFilter is { } events ? Filter("-EventIdFilter", events) : [],
        ];

    /// <summary>The option, the direction, the number of ids, the ids.</summary>
    private static IEnumerable<string> Filter(string option, EtwEventFilter filter) =>
        [option, filter.Include ? "-in" : "-out", Number(filter.Ids.Count), .. filter.Ids.Select(id => Number(id))];

    private IEnumerable<string> StartKernel()
    {
        var kernel = Plan.Kernel;
        return
        [
            "-start",
            kernel.Name,
            // By default, the NT Kernel Logger also records disk and network events.
            .. kernel.IsPrivate ? ["-systemlogger", "-independent"]
            : kernel.Events.HasFlag(KernelEvents.DiskIo) ? ["-nonet"]
            : (string[])["-nodisk", "-nonet"],
            "-eflag",
            string.Join('+', KernelEventNames.In(kernel.Events).Select(name => name.Flag)),
            .. kernel.StackEvents == KernelEvents.None
                ? []
                : (string[])["-stackwalk", string.Join('+', KernelEventNames.In(kernel.StackEvents).SelectMany(name => name.XperfStacks))],
            .. kernel.ChangesSampleInterval ? ["-SetProfInt", Number(kernel.SampleInterval), Timer] : (string[])[],
            .. Plan.IsCircular ? ["-buffering"] : (string[])["-f", Target.PathOf(kernel.FileName)],
            .. BufferArguments(kernel.Buffers),
        ];
    }

    private static IEnumerable<string> BufferArguments(EtwBuffers buffers) =>
        ["-b", Number(buffers.SizeKB), "-min", Number(buffers.Minimum), "-max", Number(buffers.Maximum), "-UsePerfCounter"];
}
