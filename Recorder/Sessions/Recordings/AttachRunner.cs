using System.Collections.Concurrent;
using System.Diagnostics;
using EtwSerializerProfiler.Sessions.Attach;
using EtwSerializerProfiler.Sessions.Dumps;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// Records a running process: opens the kernel session for its threads and the planned sessions through its diagnostic port. Closes them,
/// with the names of its methods, when the user interrupts, the time is over or the process ends. The process continues unharmed even when
/// the recorder is killed: kernel and runtime end sessions that nobody reads.
/// </summary>
public static class AttachRunner
{
    /// <summary>Interval for checking whether the process is still running, and for reporting progress.</summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(250);

    /// <summary>Records a process.</summary>
    /// <param name="target">The process.</param>
    /// <param name="options">What to record; its command is the process's.</param>
    /// <param name="progress">Called four times a second.</param>
    /// <param name="end">Ends the recording normally.</param>
    /// <param name="started">Called when all sessions record; from then on, they miss nothing.</param>
    /// <exception cref="IOException">The folder cannot be created.</exception>
    public static async Task<RecordingResult> RunAsync(
        AttachTarget target,
        RecordOptions options,
        IProgress<RecordingProgress>? progress,
        CancellationToken end,
        Action? started = null
    )
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(options);
        var elapsed = Stopwatch.StartNew();
        var startedUtc = DateTime.UtcNow;
        using var folder = RecordingFolder.Create(options.Folder);
        using var kernel = new KernelTracer(options.Kernel);
        await using var tracer = new ProcessTracer(
            target.ProcessId,
            ProcessRole.Measured,
            target.Command,
            target.RuntimeVersion,
            options.Redaction
        )
        {
            Gcs = progress is null ? null : new LiveGcs(),
        };
        var notes = new ConcurrentQueue<string>();
        var dumps = DumpSession.Begin(options.Dumps, folder, launches: false, notes.Enqueue);
        await using var _ = dumps.ConfigureAwait(false);
        long start = 0;
        WriteInterim();
        dumps.Changed += WriteInterim;

        kernel.Begin(target.ProcessId, folder, options);
        kernel.Watch(target.ProcessId);
        await tracer.StartAsync(options, folder).ConfigureAwait(false);
        await dumps.WatchAsync(target.ProcessId, options.Limits).ConfigureAwait(false);
        dumps.OnRunning(target.ProcessId);
        start = Stopwatch.GetTimestamp();
        WriteInterim();
        started?.Invoke();

        await WaitAsync().ConfigureAwait(false);

        // The end of a session writes the names of methods, which costs CPU time that is not the program's own. So the kernel session ends
        // first.
        var stop = Stopwatch.GetTimestamp();
        kernel.Stop();
        await dumps.DisposeAsync().ConfigureAwait(false);
        await tracer.FinishAsync(!target.HasEnded(), options.Limits).ConfigureAwait(false);
        kernel.Pack(folder);
        tracer.Pack(folder);
        var recording = Describe(complete: true, start, stop);
        folder.WriteFinal(recording);
        return new RecordingResult(folder.Path, recording, ExitCode: null) { CouldNotWrite = kernel.CouldNotWrite || tracer.CouldNotWrite };

        async Task WaitAsync()
        {
            var load = new ProcessLoadReader();
            try
            {
                while (!target.HasEnded() && Left() > TimeSpan.Zero)
                {
                    await Task.Delay(Left() is var left && left < s_interval && left > TimeSpan.Zero ? left : s_interval, end)
                        .ConfigureAwait(false);
                    notes.TryDequeue(out var note);
                    progress?.Report(
                        new RecordingProgress(0, 0, elapsed.Elapsed, tracer.Bytes + kernel.Bytes, note ?? "")
                        {
                            Load = load.Read([tracer.ProcessId], elapsed.Elapsed, [tracer.Gcs]),
                        }
                    );
                }
            }
            catch (OperationCanceledException)
            {
                // The normal end.
            }
        }

        TimeSpan Left() => options.Duration is { } limit ? limit - Stopwatch.GetElapsedTime(start) : TimeSpan.MaxValue;

        void WriteInterim() => folder.WriteInterim(() => Describe(complete: false, start, stop: 0));

        Recording Describe(bool complete, long start, long stop)
        {
            var process = tracer.Describe(options.Sessions, exitCode: null);
            var described = kernel.Describe();
            IReadOnlyList<RecordedProcess> processes =
                !complete || described is { File.Length: > 0 } || process.Sessions.Any(session => session.File.Length > 0) ? [process] : [];
            List<string> losses = target.WithoutRuntime is { } why ? [why.ToString()] : [];
            if (processes.Count == 0)
                losses.AddRange(process.SessionProblems());
            var recording = RecordingDescription.Of(
                options,
                folder,
                startedUtc,
                elapsed.Elapsed,
                complete,
                complete ? "" : Recording.NotEnded,
                processes,
                described,
                losses
            ) with
            {
                Attached = true,
                Span = new RecordedSpan(start, stop, Stopwatch.Frequency),
            };
            return dumps.Describe(recording, ended: complete);
        }
    }
}
