using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Session;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>
/// Executes steps with TraceEvent's sessions in this process. Runs steps with a command (merging by WPR) as a command. What it calls was
/// compared with the plan under Wine, with a stand-in for ETW (tests/wine/etw.c); it has not run on Windows.
/// </summary>
public sealed class TraceEventStepExecutor : IEtwStepExecutor
{
    private readonly ToolStepExecutor _tools = new();

    /// <summary>Our running sessions by name; null for one that could not be stopped.</summary>
    private readonly Dictionary<string, TraceEventSession?> _sessions = [];

    private EtwSteps? _steps;

    /// <inheritdoc/>
    public void Prepare(EtwSteps steps)
    {
        _steps = steps;
        _tools.Prepare(steps);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<EtwRunningSession>> ListAsync(EtwStep step, CancellationToken cancellation) => Task.FromResult(List());

    /// <summary>The running sessions with the file that each writes.</summary>
    public static IReadOnlyList<EtwRunningSession> List() =>
        Call<IReadOnlyList<EtwRunningSession>>(() =>
            [.. TraceEventSession.GetActiveSessionNames().Select(name => new EtwRunningSession(name, FileOf(name)))]
        );

    /// <summary>Stops a session by name.</summary>
    /// <exception cref="EtwStepException">It cannot be stopped.</exception>
    public static void Stop(string name) =>
        Call(() =>
        {
            using var session = TraceEventSession.GetActiveSession(name);
            session?.StopOnDispose = false;
            session?.Stop();
            return 0;
        });

    /// <inheritdoc/>
    public async Task ExecuteAsync(EtwStep step, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(step);
        if (step.Command is not null)
        {
            await _tools.ExecuteAsync(step, cancellation).ConfigureAwait(false);
            return;
        }

        var (plan, target) = (_steps!.Plan, _steps.Target);
        switch (step.Kind)
        {
            case EtwStepKind.StartUser or EtwStepKind.StartRundown:
                var session = step.Session!;
                Open(session.Name, target.PathOf(session.FileName), session.Buffers, plan.IsCircular && step.Kind == EtwStepKind.StartUser);
                break;
            case EtwStepKind.EnableProvider:
                Enable(_sessions[step.Session!.Name]!, step.Provider!);
                break;
            case EtwStepKind.StartKernel:
                // TraceEvent stops a running NT Kernel Logger regardless of its owner and of the options.
                if (
                    !plan.Kernel.IsPrivate
                    && TraceEventSession.GetActiveSessionNames().Contains(plan.Kernel.Name, StringComparer.OrdinalIgnoreCase)
                )
                    throw new EtwStepException(
                        "another program has started it meanwhile",
                        $"session {plan.Kernel.Name}",
                        "end that profiler, then record again"
                    );
                var kernel = Open(plan.Kernel.Name, target.PathOf(plan.Kernel.FileName), plan.Kernel.Buffers, plan.IsCircular);
                if (plan.Kernel.Events.HasFlag(KernelEvents.Profile))
                    kernel.CpuSampleIntervalMSec = plan.Kernel.SampleInterval / 10_000f;
                Call(() => kernel.EnableKernelProvider(Keywords(plan.Kernel.Events), Keywords(plan.Kernel.StackEvents)));
                break;
            case EtwStepKind.Flush:
                await AtOnce(
                        plan.UserSessions.Select(user => (user.Name, user.FileName)).Append((plan.Kernel.Name, plan.Kernel.FileName)),
                        (name, file) => _sessions[name]!.SetFileName(target.PathOf(file))
                    )
                    .ConfigureAwait(false);
                break;
            case EtwStepKind.Stop or EtwStepKind.StopRundown:
                await AtOnce(step.Closes.Select(name => (name, "")), (name, _) => Close(name)).ConfigureAwait(false);
                break;
            case EtwStepKind.ResetInterval:
                break; // already done by Stop(): TraceEvent restores the interval with every session that it stops
            case EtwStepKind.Merge:
                var parts = plan
                    .AllUserSessions.Select(user => target.PathOf(user.FileName))
                    .Append(target.PathOf(plan.Kernel.FileName))
                    .ToArray();
                Call(() =>
                {
                    TraceEventSession.Merge(
                        parts,
                        target.PathOf(EtwPlan.MergedFileName),
                        plan.Compress ? TraceEventMergeOptions.Compress : TraceEventMergeOptions.None
                    );
                    return 0;
                });
                break;
            default:
                throw new EtwStepException(
                    "TraceEvent does not support this step",
                    step.Title,
                    "record with another tool (--sessions xperf)"
                );
        }
    }

    /// <inheritdoc/>
    public Task UndoAsync(EtwStep step)
    {
        ArgumentNullException.ThrowIfNull(step);
        if (step.Undo.Count > 0)
            return _tools.UndoAsync(step);
        foreach (var name in step.Opens.Where(_sessions.ContainsKey))
            Call(() => Close(name));
        return Task.CompletedTask;
    }

    /// <summary>Stops all running sessions.</summary>
    public void Dispose()
    {
        foreach (var session in _sessions.Values)
            session?.Dispose();
        _sessions.Clear();
        _tools.Dispose();
    }

    /// <summary>The options of a provider, including filters.</summary>
    internal static TraceEventProviderOptions Options(EtwProvider provider)
    {
        var options = new TraceEventProviderOptions { StacksEnabled = provider.Stacks && provider.StackFilter is not { Include: true } };
        if (provider is { Stacks: true, StackFilter: { } stacks })
        {
            if (stacks.Include)
                options.EventIDStacksToEnable = [.. stacks.Ids];
            else
                options.EventIDStacksToDisable = [.. stacks.Ids];
        }

        if (provider.EventFilter is { Include: true } only)
            options.EventIDsToEnable = [.. only.Ids];
        else if (provider.EventFilter is { } without)
            options.EventIDsToDisable = [.. without.Ids];
        return options;
    }

    /// <summary>Translates a set of kernel events into TraceEvent's keywords.</summary>
    internal static KernelTraceEventParser.Keywords Keywords(KernelEvents events) =>
        KernelEventNames
            .In(events)
            .SelectMany(name => name.TraceEventKeywords)
            .Aggregate(
                KernelTraceEventParser.Keywords.None,
                (keywords, name) => keywords | Enum.Parse<KernelTraceEventParser.Keywords>(name)
            );

    private TraceEventSession Open(string name, string file, EtwBuffers buffers, bool circular)
    {
        // NoRestartOnCreate: by default, TraceEvent stops a session with the same name, even of another program.
        var session = Call(() =>
            new TraceEventSession(
                name,
                circular ? null! : file,
                TraceEventSessionOptions.Create | TraceEventSessionOptions.NoRestartOnCreate
            )
        );
        session.StopOnDispose = true;
        session.CaptureStateOnSetFileName = false; // it enables the providers again, without their filters, after the memory is written
        session.BufferQuantumKB = buffers.SizeKB;
        var size = (buffers.SizeKB * buffers.Minimum) >> 10; // the maximum follows from it (TraceEventRenderer.WithOneSize)
        if (circular)
            session.CircularBufferMB = size;
        else
            session.BufferSizeMB = size;
        _sessions.Add(name, session);
        return session;
    }

    private static void Enable(TraceEventSession session, EtwProvider provider) =>
        Call(() => session.EnableProvider(provider.Id, (TraceEventLevel)provider.Level, provider.Keywords, Options(provider)));

    /// <summary>Runs all calls at once on a thread each, because each call blocks until Windows has written the session's memory.</summary>
    private static async Task AtOnce(IEnumerable<(string Name, string File)> sessions, Action<string, string> action)
    {
        var tasks = sessions
            .Select(session =>
                Task.Factory.StartNew(
                    () =>
                        Call(() =>
                        {
                            action(session.Name, session.File);
                            return 0;
                        }),
                    CancellationToken.None,
                    TaskCreationOptions.LongRunning,
                    TaskScheduler.Default
                )
            )
            .ToList();
        await Task.WhenAll(tasks).ConfigureAwait(false);
    }

    /// <summary>
    /// Stops a session. One whose first attempt fails is stopped as if another process had started it, because its own object then counts
    /// as stopped and does nothing more.
    /// </summary>
    private int Close(string name)
    {
        TraceEventSession? session;
        lock (_sessions)
        {
            session = _sessions[name];
            _sessions[name] = null;
        }

        try
        {
            using (session)
                session?.Stop();
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            session = null;
        }

        if (session is null)
            Stop(name);
        lock (_sessions)
            _sessions.Remove(name);
        return 0;
    }

    private static string FileOf(string name)
    {
        try
        {
            using var session = TraceEventSession.GetActiveSession(name);

            // True by default: older versions of TraceEvent then stop a session that they only queried.
            session?.StopOnDispose = false;
            return session?.FileName ?? "";
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            return ""; // access is denied, or it has ended meanwhile
        }
    }

    private static T Call<T>(Func<T> call)
    {
        try
        {
            return call();
        }
        catch (Exception exception) when (exception is not (EtwStepException or OperationCanceledException))
        {
            // TraceEvent also throws exceptions of the base class.
            throw EtwErrors.Find(exception.HResult) is { } error
                ? new EtwStepException($"{error.Title}: {error.Meaning}", "ETW", error.Fix, exception)
                : new EtwStepException(
                    exception.Message.TrimEnd('.'),
                    "ETW",
                    "list the running sessions with 'esp-record sessions --all', or record with another tool (--sessions xperf)",
                    exception
                );
        }
    }
}
