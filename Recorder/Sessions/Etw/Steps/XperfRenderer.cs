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
        NotPossible(
            $"a separate kernel session; xperf uses {EtwKernelSession.NtKernelLogger}, which exists only once, so no other profiler can use it meanwhile"
        );
        Plan = Plan with { Kernel = Plan.Kernel with { Name = EtwKernelSession.NtKernelLogger } };
    }

    protected override EtwStep ListSessions() =>
        new(
            EtwStepKind.Sessions,
            "check the running sessions",
            $"{EtwKernelSession.NtKernelLogger} may be in use: sessions of other tools are never touched"
        )
        {
            Command = EtwCommand.Of(EtwTools.Xperf, "-loggers"),
            NeedsElevation = true,
        };

    protected override IEnumerable<EtwStep> Start()
    {
        if (Plan.Kernel.ChangesSampleInterval)
        {
            yield return new EtwStep(
                EtwStepKind.SampleInterval,
                "set the sample interval",
                "before the kernel session, which uses the cached interval; the interval applies to the whole machine"
            )
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

        yield return new EtwStep(
            EtwStepKind.StartKernel,
            "start the kernel session",
            "last, because it fills its buffers fastest; by itself it also writes the existing processes and images"
        )
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
        yield return new EtwStep(EtwStepKind.Stop, "stop all sessions", "by one command, so that all sessions cover the same time")
        {
            Command = EtwCommand.Of(EtwTools.Xperf, SessionNames.SelectMany(name => new[] { "-stop", name })),
            NeedsElevation = true,
            Closes = [.. SessionNames],
        };
        if (Plan.Kernel.ChangesSampleInterval)
        {
            yield return new EtwStep(EtwStepKind.ResetInterval, "restore the sample interval", "other profilers expect 1 ms")
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
        yield return new EtwStep(
            EtwStepKind.StartRundown,
            "start the rundown",
            "names of methods of running processes; after the recording, so that the rundown does not disturb it"
        )
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

    /// <summary>Flushes all sessions by one command; also used for tracelog, which flushes one session at a time.</summary>
    internal static EtwStep FlushStep(EtwPlan plan, EtwTarget target) =>
        new(
            EtwStepKind.Flush,
            "write the memory of all sessions to files",
            "by one command, at the same moment: with one flush after the other, kernel and user events have ended minutes apart on busy machines"
        )
        {
            Command = EtwCommand.Of(
                EtwTools.Xperf,
                [
                    .. plan.UserSessions.SelectMany(session => new[] { "-flush", session.Name, "-f", target.PathOf(session.FileName) }),
                    "-flush",
                    plan.Kernel.Name,
                    "-f",
                    target.PathOf(plan.Kernel.FileName),
                ]
            ),
            NeedsElevation = true,
            Writes = [.. plan.UserSessions.Select(session => target.PathOf(session.FileName)), target.PathOf(plan.Kernel.FileName)],
            Implements = ["circular memory"],
        };

    private static EtwCommand Interval(int interval) => EtwCommand.Of(EtwTools.Xperf, "-SetProfInt", Number(interval), "cached");

    private IEnumerable<string> StartUser(EtwUserSession session, bool circular) =>
        [
            "-start",
            session.Name,
            "-on",
            string.Join('+', session.Providers.Select(ProviderText)),
            .. circular ? [] : (string[])["-f", Target.PathOf(session.FileName)],
            .. BufferArguments(session.Buffers, circular),
        ];

    private IEnumerable<string> StartKernel()
    {
        var stacks = KernelEventNames.In(Plan.Kernel.StackEvents).SelectMany(name => name.XperfStacks).ToList();
        return
        [
            "-on",
            string.Join('+', KernelEventNames.In(Plan.Kernel.Events).Select(name => name.Flag)),
            .. stacks.Count == 0 ? [] : (string[])["-StackWalk", string.Join('+', stacks)],
            .. Plan.IsCircular ? [] : (string[])["-f", Target.PathOf(Plan.Kernel.FileName)],
            .. BufferArguments(Plan.Kernel.Buffers, Plan.IsCircular),
        ];
    }

    private static IEnumerable<string> BufferArguments(EtwBuffers buffers, bool circular) =>
        [
            "-BufferSize",
            Number(buffers.SizeKB),
            "-MinBuffers",
            Number(buffers.Minimum),
            "-MaxBuffers",
            Number(buffers.Maximum),
            .. circular ? ["-Buffering"] : (string[])[],
        ];

    /// <summary>GUID:keywords:level, and 'stack' for stacks of all events.</summary>
    private string ProviderText(EtwProvider provider)
    {
        var stacks = provider.Stacks && (provider.StackFilter is null || provider.StacksWithoutFilter);
        if (provider is { Stacks: true, StackFilter: { } filter })
        {
            NotPossible(
                stacks
                    ? $"stacks of selected events ({filter}) of {provider.Name}; all of its events in this session carry stacks, which costs more (--sessions tracelog and traceevent can select)"
                    : $"stacks of only selected events ({filter}) of {provider.Name}; no event of this session carries a stack"
            );
        }

        if (provider.EventFilter is { } events)
            NotPossible($"selecting events by id ({events}) of {provider.Name}; all events of its keywords and level are recorded");
        return $"{provider.Id:D}:{provider.KeywordText}:0x{(int)provider.Level:X}{(stacks ? ":'stack'" : "")}";
    }
}
