using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>
/// Steps for xperf. Syntax: "start", "stop", "stackwalk" and "merge" of the Windows Performance Toolkit's reference
/// (learn.microsoft.com/windows-hardware/test/wpt/start and its neighbours).
/// </summary>
internal sealed class XperfRenderer(EtwPlan plan, EtwTarget target) : EtwRenderer(plan, target)
{
    protected override EtwTool Tool => EtwTool.Xperf;

    protected override void Adapt()
    {
        if (!Plan.Kernel.IsPrivate)
            return;
        NotPossible($"a kernel session of its own; {EtwKernelSession.NtKernelLogger} is used, of which there is one only: no other profiler may run");
        Plan = Plan with { Kernel = Plan.Kernel with { Name = EtwKernelSession.NtKernelLogger } };
    }

    protected override EtwStep ListSessions() => new(EtwStepKind.Sessions, "look at the sessions that run", $"{EtwKernelSession.NtKernelLogger} may be in use: a session of somebody else's is never touched")
    {
        Command = EtwCommand.Of(EtwTools.Xperf, "-loggers"),
        NeedsElevation = true,
    };

    protected override IEnumerable<EtwStep> Start()
    {
        if (Plan.Kernel.ChangesSampleInterval)
        {
            yield return new EtwStep(EtwStepKind.SampleInterval, "set the sample interval", "before the kernel session starts, which takes the interval that is cached; one of the whole machine")
            {
                Command = Interval(Plan.Kernel.SampleInterval),
                NeedsElevation = true,
                Undo = [Interval(EtwKernelSession.DefaultSampleInterval)],
                Opens = [EtwStep.IntervalMark],
                Implements = ["sample interval"],
            };
        }

        foreach (var session in Plan.UserSessions)
        {
            yield return new EtwStep(EtwStepKind.StartUser, $"start session {session.Role}", session.Purpose)
            {
                Command = EtwCommand.Of(EtwTools.Xperf, StartUser(session, Plan.IsCircular)),
                NeedsElevation = true,
                Undo = [EtwCommand.Of(EtwTools.Xperf, "-stop", session.Name)],
                Opens = [session.Name],
                Writes = Plan.IsCircular ? [] : [Target.PathOf(session.FileName)],
                Session = session,
                Implements = [$"session {session.Role}"],
            };
        }

        yield return new EtwStep(EtwStepKind.StartKernel, "start the kernel session", "last, because it fills its buffers fastest; writes the processes and images that are there already by itself")
        {
            Command = EtwCommand.Of(EtwTools.Xperf, StartKernel()),
            NeedsElevation = true,
            Undo = [EtwCommand.Of(EtwTools.Xperf, "-stop", Plan.Kernel.Name)],
            Opens = [Plan.Kernel.Name],
            Writes = Plan.IsCircular ? [] : [Target.PathOf(Plan.Kernel.FileName)],
            Implements = ["kernel session", "stacks of kernel events"],
        };
    }

    protected override IEnumerable<EtwStep> Stop()
    {
        if (Plan.IsCircular)
            yield return FlushByXperf();
        yield return new EtwStep(EtwStepKind.Stop, "stop all sessions", "by one command: what one records longer than another is there for one side only")
        {
            Command = EtwCommand.Of(EtwTools.Xperf, SessionNames.SelectMany(name => new[] { "-stop", name })),
            NeedsElevation = true,
            Closes = [.. SessionNames],
        };
        if (Plan.Kernel.ChangesSampleInterval)
        {
            yield return new EtwStep(EtwStepKind.ResetInterval, "set the sample interval back", "other profilers expect 1 ms")
            {
                Command = Interval(EtwKernelSession.DefaultSampleInterval),
                NeedsElevation = true,
                Closes = [EtwStep.IntervalMark],
            };
        }
    }

    protected override IEnumerable<EtwStep> Rundown(EtwRundown rundown)
    {
        var session = rundown.Session;
        yield return new EtwStep(EtwStepKind.StartRundown, "start the rundown", "names of methods of processes that still run; after the recording, so that it is no part of it")
        {
            Command = EtwCommand.Of(EtwTools.Xperf, StartUser(session, circular: false)),
            NeedsElevation = true,
            Undo = [EtwCommand.Of(EtwTools.Xperf, "-stop", session.Name)],
            Opens = [session.Name],
            Writes = [Target.PathOf(session.FileName)],
            Session = session,
            Implements = ["rundown"],
        };
        yield return WaitFor(rundown);
        yield return new EtwStep(EtwStepKind.StopRundown, "end the rundown", "its file is complete")
        {
            Command = EtwCommand.Of(EtwTools.Xperf, "-stop", session.Name),
            NeedsElevation = true,
            Closes = [session.Name],
        };
    }

    protected override IEnumerable<EtwStep> Merge() => [MergeByCommand()];

    private EtwStep FlushByXperf() => FlushStep(Plan, Target);

    /// <summary>Flushes all sessions by one command; tracelog, which flushes one at a time, borrows it.</summary>
    internal static EtwStep FlushStep(EtwPlan plan, EtwTarget target) => new(
        EtwStepKind.Flush,
        "write the memory of all sessions to files",
        "by one command, at one moment: one flush after the other has left minutes between kernel and user events on busy machines")
    {
        Command = EtwCommand.Of(
            EtwTools.Xperf,
            [
                .. plan.UserSessions.SelectMany(session => new[] { "-flush", session.Name, "-f", target.PathOf(session.FileName) }),
                "-flush", plan.Kernel.Name, "-f", target.PathOf(plan.Kernel.FileName),
            ]),
        NeedsElevation = true,
        Writes = [.. plan.UserSessions.Select(session => target.PathOf(session.FileName)), target.PathOf(plan.Kernel.FileName)],
        Implements = ["circular memory"],
    };

    private static EtwCommand Interval(int interval) => EtwCommand.Of(EtwTools.Xperf, "-SetProfInt", Number(interval), "cached");

    private IEnumerable<string> StartUser(EtwUserSession session, bool circular) =>
    [
        "-start", session.Name,
        "-on", string.Join('+', session.Providers.Select(ProviderText)),
        .. circular ? [] : (string[])["-f", Target.PathOf(session.FileName)],
        .. BufferArguments(session.Buffers, circular),
    ];

    private IEnumerable<string> StartKernel()
    {
        var stacks = KernelEventNames.In(Plan.Kernel.StackEvents).SelectMany(name => name.XperfStacks).ToList();
        return
        [
            "-on", string.Join('+', KernelEventNames.In(Plan.Kernel.Events).Select(name => name.Flag)),
            .. stacks.Count == 0 ? [] : (string[])["-StackWalk", string.Join('+', stacks)],
            .. Plan.IsCircular ? [] : (string[])["-f", Target.PathOf(Plan.Kernel.FileName)],
            .. BufferArguments(Plan.Kernel.Buffers, Plan.IsCircular),
        ];
    }

    private static IEnumerable<string> BufferArguments(EtwBuffers buffers, bool circular) =>
    [
        "-BufferSize", Number(buffers.SizeKB), "-MinBuffers", Number(buffers.Minimum), "-MaxBuffers", Number(buffers.Maximum),
        .. circular ? ["-Buffering"] : (string[])[],
    ];

    /// <summary>GUID:keywords:level, and 'stack' for stacks of all events.</summary>
    private string ProviderText(EtwProvider provider)
    {
        var stacks = provider.Stacks && (provider.StackFilter is null || provider.StacksWithoutFilter);
        if (provider is { Stacks: true, StackFilter: { } filter })
        {
            NotPossible(stacks
                ? $"stacks of chosen events ({filter}) of {provider.Name}; all of its events in this session carry one, which costs more (--sessions tracelog and traceevent can)"
                : $"stacks of chosen events ({filter}) of {provider.Name} beside events without; none of this session carries one");
        }

        if (provider.EventFilter is { } events)
            NotPossible($"choosing events by id ({events}) of {provider.Name}; all that its keywords and level let through are recorded");
        return $"{provider.Id:D}:{provider.KeywordText}:0x{(int)provider.Level:X}{(stacks ? ":'stack'" : "")}";
    }
}
