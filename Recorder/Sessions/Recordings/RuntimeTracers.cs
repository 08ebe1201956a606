using System.Diagnostics;
using EtwSerializerProfiler.Sessions.Dumps;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// The runtimes that connect to the recorder while they are still suspended: it starts the sessions of those to record, and resumes every
/// one.
/// </summary>
/// <param name="options">What to record.</param>
/// <param name="countsGcs">Whether the GCs of the processes are counted while they run.</param>
internal sealed class RuntimeTracers(RecordOptions options, bool countsGcs)
{
    /// <summary>Guards the lists: runtimes connect concurrently.</summary>
    private readonly Lock _gate = new();

    /// <summary>Recorded processes, the measured one first.</summary>
    private readonly List<ProcessTracer> _tracers = [];

    /// <summary>What is missing from the recording.</summary>
    private readonly List<string> _losses = [];

    /// <summary>Runtimes that were resumed without being recorded.</summary>
    public int PassedBy { get; private set; }

    /// <summary>The recorded processes so far, the measured one first.</summary>
    public IReadOnlyList<ProcessTracer> All()
    {
        lock (_gate)
            return [.. _tracers];
    }

    /// <summary>What is missing from the recording so far, one sentence each.</summary>
    public IReadOnlyList<string> Losses()
    {
        lock (_gate)
            return [.. _losses];
    }

    /// <summary>Serves the runtimes until the port is closed.</summary>
    /// <param name="port">Where they connect.</param>
    /// <param name="folder">Folder of the recording.</param>
    /// <param name="kernel">Records the kernel events of their processes.</param>
    /// <param name="dumps">Takes their dumps.</param>
    /// <param name="changed">Called when a process is recorded.</param>
    public async Task ServeAsync(
        ReversedDiagnosticPort port,
        RecordingFolder folder,
        KernelTracer kernel,
        DumpSession dumps,
        Action changed
    )
    {
        // Other runtimes wait suspended, which costs them nothing. With 200 at once on two processors, three of ten sessions were not
        // started within RecordLimits.Answer.
        using var turns = new SemaphoreSlim(Math.Max(8, 2 * Environment.ProcessorCount));
        var served = new List<Task>();
        await foreach (var runtime in port.Arrivals.ConfigureAwait(false))
            served.Add(ServeAsync(runtime));
        await Task.WhenAll(served).ConfigureAwait(false);

        async Task ServeAsync(ConnectedRuntime runtime)
        {
            ProcessTracer? tracer;
            await turns.WaitAsync().ConfigureAwait(false);
            try
            {
                tracer = await StartSessionsAsync(runtime, folder, kernel, dumps, changed).ConfigureAwait(false);
            }
            finally
            {
                turns.Release();
            }

            // Outside of the turn: a stopped process answers when it continues, and must not keep others from starting.
            while (!await TryResumeAsync(runtime, tracer, dumps).ConfigureAwait(false)) { }
        }
    }

    /// <summary>Starts the sessions of a runtime that is to be recorded.</summary>
    /// <returns>Its tracer; null for a runtime that is not recorded.</returns>
    private async Task<ProcessTracer?> StartSessionsAsync(
        ConnectedRuntime runtime,
        RecordingFolder folder,
        KernelTracer kernel,
        DumpSession dumps,
        Action changed
    )
    {
        ProcessTracer? adopted = null;
        try
        {
            using var limit = new CancellationTokenSource(options.Limits.Answer);
            var (reported, version) = await runtime.GetInfoAsync(limit.Token).ConfigureAwait(false);
            if (Adopt(runtime, CommandLines.Read(runtime.ProcessId, reported), version, kernel) is { } tracer)
            {
                adopted = tracer;
                await tracer.StartAsync(options, folder).ConfigureAwait(false);
                await dumps.WatchAsync(tracer.ProcessId, options.Limits).ConfigureAwait(false);
                changed();
            }
        }
        catch (OperationCanceledException)
        {
            Lose($"process {runtime.ProcessId} did not answer on its diagnostic port and was not recorded");
        }

        return adopted;
    }

    /// <summary>Resumes a runtime. Until it has answered or ended this is tried again: a busy or stopped process answers late.</summary>
    /// <returns>Whether nothing remains to be done.</returns>
    private async Task<bool> TryResumeAsync(ConnectedRuntime runtime, ProcessTracer? tracer, DumpSession dumps)
    {
        try
        {
            using var limit = new CancellationTokenSource(options.Limits.Answer);
            await runtime.ResumeAsync(limit.Token).ConfigureAwait(false);
            dumps.OnRunning(runtime.ProcessId);
            tracer?.HeldMs = Stopwatch.GetElapsedTime(runtime.ArrivedTicks).TotalMilliseconds;
        }
        catch (OperationCanceledException)
        {
            return OtherProcess.HasEnded(runtime.ProcessId);
        }
        catch (Exception exception)
            when (exception is IOException or ObjectDisposedException or System.Threading.Channels.ChannelClosedException)
        {
            if (!OtherProcess.HasEnded(runtime.ProcessId))
                Lose($"process {runtime.ProcessId} could not be resumed: {exception.Message}");
        }

        return true;
    }

    /// <summary>
    /// Decides whether to record a runtime: the first one that is not an SDK tool (unless the command line names the tool), or all on
    /// request.
    /// </summary>
    private ProcessTracer? Adopt(ConnectedRuntime runtime, IReadOnlyList<string> command, string version, KernelTracer kernel)
    {
        lock (_gate)
        {
            if (
                !options.FollowAll
                && (_tracers.Count > 0 || (CommandLines.IsSdkTool(command) && !CommandLines.NamesSdkTool(options.Command)))
            )
            {
                PassedBy++;
                return null;
            }

            var tracer = new ProcessTracer(
                runtime.ProcessId,
                _tracers.Count == 0 ? ProcessRole.Measured : ProcessRole.Descendant,
                command,
                version,
                options.Redaction,
                1 + _tracers.Count(tracer => tracer.ProcessId == runtime.ProcessId)
            )
            {
                Gcs = countsGcs ? new LiveGcs() : null,
            };
            _tracers.Add(tracer);
            kernel.Watch(tracer.ProcessId);
            return tracer;
        }
    }

    private void Lose(string what)
    {
        lock (_gate)
            _losses.Add(what);
    }
}
