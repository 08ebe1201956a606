using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>
/// Steps that the recorder executes itself through TraceEvent; each names its calls
/// (Microsoft.Diagnostics.Tracing.Session.TraceEventSession).
/// </summary>
internal sealed class TraceEventRenderer(EtwPlan plan, EtwTarget target) : EtwRenderer(plan, target)
{
    protected override EtwTool Tool => EtwTool.TraceEvent;

    /// <summary>
    /// TraceEvent takes one size of a session's memory, all of it from the start, and permits a quarter and 10 buffers more.
    /// </summary>
    protected override void Adapt()
    {
        NotPossible(
            Plan.IsCircular
                ? "circular memory of an exact size; a session may take a quarter more, and 10 buffers"
                : "few buffers at the start; a session takes three quarters of its memory at once"
        );
        Plan = Plan with
        {
            Kernel = Plan.Kernel with { Buffers = WithOneSize(Plan.Kernel.Buffers) },
            UserSessions = [.. Plan.UserSessions.Select(WithOneSize)],
            Rundown = Plan.Rundown is { } rundown ? rundown with { Session = WithOneSize(rundown.Session) } : null,
        };
    }

    private static EtwUserSession WithOneSize(EtwUserSession session) => session with { Buffers = WithOneSize(session.Buffers) };

    private static EtwBuffers WithOneSize(EtwBuffers buffers)
    {
        var size = Math.Max(buffers.Minimum, (buffers.Maximum - 10) * 4 / 5);
        return buffers with { Minimum = size, Maximum = (size * 5 / 4) + 10 };
    }

    protected override EtwStep ListSessions() =>
        new(EtwStepKind.Sessions, "check the running sessions", "sessions of other tools are never touched")
        {
            Action = "TraceEventSession.GetActiveSessionNames()",
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

        var kernel = Plan.Kernel;
        yield return new EtwStep(EtwStepKind.StartKernel, "start the kernel session", "last, because it fills its buffers fastest")
        {
            Action =
                $"{New(kernel.Name, kernel.FileName, kernel.Buffers, Plan.IsCircular)}; "
                + (
                    kernel.Events.HasFlag(KernelEvents.Profile)
                        ? $"CpuSampleIntervalMSec = {(kernel.SampleInterval / 10_000.0).ToString("0.####", System.Globalization.CultureInfo.InvariantCulture)}; "
                        : ""
                )
                + $"EnableKernelProvider({Keywords(kernel.Events)}, {Keywords(kernel.StackEvents)})",
            UndoAction = "Stop()" + (kernel.ChangesSampleInterval ? ", which also restores the sample interval of 1 ms" : ""),
            NeedsElevation = true,
            Opens = [kernel.Name],
            Writes = Plan.IsCircular ? [] : [Target.PathOf(kernel.FileName)],
            Implements =
            [
                "kernel session",
                "stacks of kernel events",
                .. kernel.ChangesSampleInterval ? ["sample interval"] : (string[])[],
            ],
        };
    }

    protected override IEnumerable<EtwStep> Stop()
    {
        if (Plan.IsCircular)
        {
            yield return new EtwStep(
                EtwStepKind.Flush,
                "write the memory of all sessions to files",
                "at the same moment, each session on its own thread: one after the other, they would end minutes apart on busy machines"
            )
            {
                Action = string.Join(
                    "; ",
                    Plan.UserSessions.Select(session => Save(session.Name, session.FileName))
                        .Append(Save(Plan.Kernel.Name, Plan.Kernel.FileName))
                ),
                NeedsElevation = true,
                Writes = [.. Plan.UserSessions.Select(session => Target.PathOf(session.FileName)), Target.PathOf(Plan.Kernel.FileName)],
                Implements = ["circular memory"],
            };
        }

        yield return new EtwStep(EtwStepKind.Stop, "stop all sessions", "at the same moment, so that all sessions cover the same time")
        {
            Action = string.Join("; ", SessionNames.Select(name => $"{name}: Stop()")),
            NeedsElevation = true,
            Closes = [.. SessionNames],
        };
        if (Plan.Kernel.ChangesSampleInterval)
        {
            yield return new EtwStep(EtwStepKind.ResetInterval, "restore the sample interval", "other profilers expect 1 ms")
            {
                Action = "done by Stop(), which sets Windows' own interval",
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
            Action = $"{rundown.Session.Name}: Stop()",
            NeedsElevation = true,
            Closes = [rundown.Session.Name],
        };
    }

    protected override IEnumerable<EtwStep> Merge()
    {
        if (Plan.NgenPdbs)
        {
            NotPossible("NGEN PDBs of all images by one call; wpr -merge creates them and merges");
            return [MergeByCommand()];
        }

        return
        [
            new EtwStep(
                EtwStepKind.Merge,
                "merge",
                "one file with the identity of every image, the drives' names and the decoding of events: another machine needs these to find symbols"
            )
            {
                Action =
                    $"TraceEventSession.Merge([{string.Join(", ", PartFiles())}], {MergedFile}{(Plan.Compress ? ", TraceEventMergeOptions.Compress" : "")})",
                NeedsElevation = true,
                Writes = [MergedFile],
                Implements = Plan.Compress ? ["merged file", "compression"] : ["merged file"],
            },
        ];
    }

    private IEnumerable<EtwStep> StartUser(EtwUserSession session, EtwStepKind kind, string title, string why, string part, bool circular)
    {
        yield return new EtwStep(kind, title, why)
        {
            Action = New(session.Name, session.FileName, session.Buffers, circular),
            UndoAction = "Stop()",
            NeedsElevation = true,
            Opens = [session.Name],
            Writes = circular ? [] : [Target.PathOf(session.FileName)],
            Session = session,
            Implements = [part],
        };
        foreach (var provider in session.Providers)
        {
            yield return new EtwStep(EtwStepKind.EnableProvider, $"{session.Role}: enable {provider.Name}", provider.Purpose)
            {
                Action = $"EnableProvider({provider.Id:D}, {provider.Level}, {provider.KeywordText}{Options(provider)})",
                NeedsElevation = true,
                Session = session,
                Provider = provider,
                Implements = [$"{part}: {provider.Name}"],
            };
        }
    }

    private string Save(string name, string file) => $"{name}: SetFileName({Target.PathOf(file)})";

    private string New(string name, string file, EtwBuffers buffers, bool circular)
    {
        var size = Number((buffers.SizeKB * buffers.Minimum) >> 10);
        return circular
            ? $"new TraceEventSession({name}, null) {{ CircularBufferMB = {size}, BufferQuantumKB = {Number(buffers.SizeKB)} }}"
            : $"new TraceEventSession({name}, {Target.PathOf(file)}) {{ BufferSizeMB = {size}, BufferQuantumKB = {Number(buffers.SizeKB)} }}";
    }

    private static string Keywords(KernelEvents events) =>
        events == KernelEvents.None ? "None" : string.Join(" | ", KernelEventNames.In(events).SelectMany(name => name.TraceEventKeywords));

    private static string Options(EtwProvider provider)
    {
        var parts = new List<string>();
        if (provider.Stacks && provider.StackFilter is not { Include: true })
            parts.Add("StacksEnabled = true");
        if (provider is { Stacks: true, StackFilter: { } stacks })
            parts.Add($"{(stacks.Include ? "EventIDStacksToEnable" : "EventIDStacksToDisable")} = [{string.Join(", ", stacks.Ids)}]");
        if (provider.EventFilter is { } events)
            parts.Add($"{(events.Include ? "EventIDsToEnable" : "EventIDsToDisable")} = [{string.Join(", ", events.Ids)}]");
        return parts.Count == 0 ? "" : $", {{ {string.Join(", ", parts)} }}";
    }
}
