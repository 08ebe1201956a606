using System.Collections.Concurrent;
using System.Diagnostics;
using EtwSerializerProfiler.Sessions.Circular;
using EtwSerializerProfiler.Sessions.Dumps;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Traces.JitDumps;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// Records a command from its first managed instruction: starts it with a reversed diagnostic port, starts the planned sessions in the
/// runtime to measure while it is still suspended, and resumes every runtime that connects. It leaves a readable recording whatever
/// happens.
/// </summary>
/// <remarks>
/// Failures. The command crashes: the streams end, and the recording is complete and has the exit code. The
/// user interrupts: the sessions are stopped (with rundown), then the command is asked to end; the recording is complete. Ctrl+C in a
/// terminal also reaches the command; what it wrote before its end is complete, too. The disk is full: the affected session is closed, the
/// others continue, and recording.json uses the space reserved at the start. The recorder fails: the command's process tree is ended, so
/// that no suspended runtime is left behind; the files keep what was written. The recorder is killed: the <see cref="Supervisor"/> ends the
/// tree, and recording.json describes what had begun.
/// </remarks>
public sealed class RecordingRunner
{
    private static readonly TimeSpan s_progressInterval = TimeSpan.FromMilliseconds(500);

    private readonly RecordOptions _options;
    private readonly IProgress<RecordingProgress>? _progress;
    private readonly Stopwatch _elapsed = Stopwatch.StartNew();
    private readonly DateTime _startedUtc = DateTime.UtcNow;

    private readonly RuntimeTracers _tracers;

    /// <summary>The kernel session; null before the launch.</summary>
    private KernelTracer? _kernel;

    /// <summary>Takes the dumps; null before the recording begins.</summary>
    private DumpSession? _dumps;

    /// <summary>The sessions' memory in circular mode; else null.</summary>
    private readonly CircularRecording? _circular;

    /// <summary>Messages for the user with the next progress.</summary>
    private readonly ConcurrentQueue<string> _notes = [];

    private RecordingRunner(RecordOptions options, IProgress<RecordingProgress>? progress)
    {
        _progress = progress;
        _circular = options.Mode.IsCircular ? new CircularRecording(options.Mode, options.OpenTrace) : null;
        _options = _circular is null ? options : options with { OpenTrace = _circular.OpenTrace, OpenPerfData = _circular.OpenPerfData };
        _tracers = new RuntimeTracers(_options, countsGcs: progress is not null && !options.BuiltInSuite);
    }

    /// <summary>Records a command.</summary>
    /// <param name="options">What to record.</param>
    /// <param name="progress">Receives the progress twice a second, on any thread.</param>
    /// <param name="end">Ends the recording, then the command.</param>
    /// <param name="kill">Kills the command.</param>
    /// <exception cref="LaunchException">The command cannot be started.</exception>
    /// <exception cref="IOException">The folder or the diagnostic port cannot be created.</exception>
    public static Task<RecordingResult> RunAsync(
        RecordOptions options,
        IProgress<RecordingProgress>? progress,
        CancellationToken end,
        CancellationToken kill = default
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        return new RecordingRunner(options, progress).RunAsync(end, kill);
    }

    private async Task<RecordingResult> RunAsync(CancellationToken end, CancellationToken kill)
    {
        using var folder = RecordingFolder.Create(_options.Folder);
        using var circular = _circular;
        circular?.Begin(folder.Path);
        var port = ReversedDiagnosticPort.Open();
        await using var _ = port.ConfigureAwait(false);
        var dumps = _dumps = DumpSession.Begin(_options.Dumps, folder, launches: true, _notes.Enqueue);
        await using var _____ = dumps.ConfigureAwait(false);
        dumps.Changed += () => UpdateInterim(folder);
        folder.WriteInterim(() => DescribeSoFar(folder));

        // Started before the command, and ended last.
        var supervisor = Supervisor.Start(
            port.Address,
            [port.Address, folder.Reserve, .. dumps.SocketPath is { } socket ? [socket] : (string[])[]]
        );
        await using var ____ = supervisor.ConfigureAwait(false);

        // Declared after the port, so that it ends before the port closes: no runtime must wait on a closed port.
        var start = Stopwatch.GetTimestamp();
        var (child, kernel) = Launch(port);
        _kernel = kernel;
        using var ___ = kernel;
        await using var __ = child.ConfigureAwait(false);
        using var ______ = kill.Register(child.Kill);
        kernel.Begin(child.Id, folder, _options);
        if (kernel.Program is { } program)
            await child.FollowAsync(program).ConfigureAwait(false);
        UpdateInterim(folder);
        var serving = _tracers.ServeAsync(port, folder, kernel, dumps, changed: () => UpdateInterim(folder));
        using var progressEnd = new CancellationTokenSource();
        var reporting = ReportAsync(folder, child, progressEnd.Token);
        var snapshots = new SnapshotTaker(
            _circular,
            _options,
            folder,
            _tracers.All,
            () => Describe(complete: true, "", child, exitCode: null, folder) with { Dumps = [], DumpsNotTaken = [] },
            _notes.Enqueue
        );
        var snapshooting = snapshots.RunAsync(progressEnd.Token);

        var endedByUser = await WaitAsync(child, end).ConfigureAwait(false);
        var stop = Stopwatch.GetTimestamp();

        // Takes no more dumps but completes the one in progress, whose process is still running.
        await dumps.DisposeAsync().ConfigureAwait(false);

        // A process of the tree may outlive the command (a server, a daemon), so its sessions are stopped. Those of the command end with
        // it.
        await Task.WhenAll(
                _tracers.All().Select(tracer => tracer.FinishAsync(tracer.ProcessId != child.Id || !child.HasExited, _options.Limits))
            )
            .ConfigureAwait(false);
        var exitCode = child.ExitCode;
        endedByUser |= end.IsCancellationRequested; // Ctrl+C in a terminal may reach the command first
        await child.EndAsync(atOnce: false).ConfigureAwait(false);
        kernel.Stop();
        await progressEnd.CancelAsync().ConfigureAwait(false);
        await reporting.ConfigureAwait(false);
        await snapshooting.ConfigureAwait(false);
        await port.DisposeAsync().ConfigureAwait(false);
        await serving.ConfigureAwait(false);
        foreach (var tracer in _tracers.All())
            await tracer.DisposeAsync().ConfigureAwait(false);
        if (circular is null)
        {
            kernel.Pack(folder);
            Parallel.ForEach(_tracers.All(), tracer => tracer.Pack(folder));
        }

        var recording = Describe(complete: true, "", child, exitCode, folder) with
        {
            EndedByUser = endedByUser,
            Span = endedByUser ? new RecordedSpan(start, stop, Stopwatch.Frequency) : null,
        };
        var kept = circular?.Write(folder.Path, Stopwatch.GetTimestamp(), KeptInterval.AtEnd);
        if (kept is not null)
            recording = kept.Describe(recording);
        RemoveCodeOfOthers(recording, folder);
        var couldNotWrite = kept is { CouldNotWrite: true } || kernel.CouldNotWrite || _tracers.All().Any(tracer => tracer.CouldNotWrite);
        var (isRemoved, outcome) =
            recording is { Processes.Count: 0, Dumps.Count: 0 } && !couldNotWrite ? EndWithoutProcesses(recording, folder) : (false, "");
        if (!isRemoved)
            folder.WriteFinal(recording);
        return new RecordingResult(folder.Path, recording, exitCode)
        {
            CouldNotWrite = couldNotWrite,
            IsRemoved = isRemoved,
            Outcome = outcome,
        };
    }

    /// <summary>
    /// Decides what to do with a recording without processes. CPU samples of a native program are kept, because they can be shown. Those of
    /// SDK tools have no names and were not requested, so they are removed and the command can be repeated with --follow.
    /// </summary>
    private (bool IsRemoved, string Outcome) EndWithoutProcesses(Recording recording, RecordingFolder folder)
    {
        var hasSamples = recording.HasCpuSamples;
        if (!(hasSamples && !CommandLines.IsSdkTool(_options.Command)) && folder.TryRemove(recording.Kernel?.File ?? ""))
            return (true, $"nothing was recorded; the files in {folder.Path} were removed");
        var again = _tracers.PassedBy > 0 ? "; to record with --follow, use another folder" : "";
        return (
            false,
            (
                hasSamples
                    ? $"CPU samples were recorded, 'esp-analyze cpu {folder.Path}' shows them"
                    : $"no process was recorded to {folder.Path}"
            ) + again
        );
    }

    /// <summary>
    /// Every process of the command's tree writes its code, tools of the SDK too; the code of processes that are not recorded is removed.
    /// </summary>
    private void RemoveCodeOfOthers(Recording recording, RecordingFolder folder)
    {
        if (!_options.Variables.Any(variable => variable is { Name: RuntimeVariables.PerfMapFolder, SetByUser: false }))
            return;
        foreach (var path in JitDumpFiles.OfOthers(folder.Path, recording.Processes.Select(process => process.ProcessId)))
            File.Delete(path);
    }

    /// <summary>Waits until the command or the recording should end.</summary>
    /// <returns>Whether the recording should end while the command is running.</returns>
    private async Task<bool> WaitAsync(ChildProcess child, CancellationToken end)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(end);
        if (_options.Duration is { } duration)
            limit.CancelAfter(duration);
        try
        {
            await child.WaitForExitAsync(limit.Token).ConfigureAwait(false);
            return false;
        }
        catch (OperationCanceledException)
        {
            return true;
        }
    }

    private (ChildProcess Child, KernelTracer Kernel) Launch(ReversedDiagnosticPort port)
    {
        KernelTracer? kernel = null;
        try
        {
            kernel = new KernelTracer(_options.Kernel, _options.Command);
            return (kernel.Launch(_options.WorkingDirectory, ChildEnvironment(port), _options.Output), kernel);
        }
        catch (LaunchException)
        {
            kernel?.Dispose();
            throw;
        }
    }

    private Dictionary<string, string?> ChildEnvironment(ReversedDiagnosticPort port)
    {
        const string Ports = "DOTNET_DiagnosticPorts";
        var existing = Environment.GetEnvironmentVariable(Ports);
        var environment = new Dictionary<string, string?>(_options.Environment)
        {
            [Ports] = string.IsNullOrEmpty(existing) ? port.EnvironmentValue : $"{existing};{port.EnvironmentValue}",

            // Build nodes and servers of 'dotnet run' would outlive the recording and keep our port in their environment.
            ["MSBUILDDISABLENODEREUSE"] = "1",
            ["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0",
        };
        foreach (var variable in _options.Variables.Where(variable => !variable.SetByUser))
            environment.TryAdd(variable.Name, variable.Value);
        if (_dumps?.Variable is var (name, value))
            environment[name] = value;
        return environment;
    }

    /// <summary>Explains a missing runtime from the command's environment and file; null when unknown.</summary>
    private string? WhyNoRuntime()
    {
        try
        {
            return MissingRuntime
                .Explain(
                    GatedLaunch.FindProgram(_options.Command[0]),
                    _options.ShownCommand[0],
                    name => _options.Environment.TryGetValue(name, out var value) ? value : Environment.GetEnvironmentVariable(name)
                )
                ?.ToString();
        }
        catch (LaunchException)
        {
            return null; // found by system-specific rules
        }
    }

    private async Task ReportAsync(RecordingFolder folder, ChildProcess child, CancellationToken end)
    {
        if (_progress is null)
            return;
        var runs = new RunProgressReader(folder.File(Recording.RunsFileName));
        var load = _options.BuiltInSuite ? null : new ProcessLoadReader();
        var hinted = false;
        try
        {
            while (true)
            {
                await Task.Delay(s_progressInterval, end).ConfigureAwait(false);
                runs.Update();
                var tracers = _tracers.All();
                _notes.TryDequeue(out var note);
                if (
                    !hinted
                    && _options.Sessions.Count > 0
                    && tracers.Count == 0
                    && _elapsed.Elapsed > _options.Limits.NoRuntimeHint
                    && !child.HasExited
                )
                {
                    hinted = true;
                    note = WhyNoRuntime() ?? "no .NET runtime to record has started yet; recording begins when one does";
                }

                _progress.Report(
                    new RecordingProgress(
                        runs.Done,
                        runs.Planned,
                        _elapsed.Elapsed,
                        tracers.Sum(tracer => tracer.Bytes) + (_kernel?.Bytes ?? 0),
                        note ?? ""
                    )
                    {
                        Load = load?.Read(
                            tracers.Select(tracer => tracer.ProcessId),
                            _elapsed.Elapsed,
                            tracers.Select(tracer => tracer.Gcs)
                        ),
                    }
                );
            }
        }
        catch (OperationCanceledException)
        {
            // The recording has ended.
        }
    }

    /// <summary>Keeps recording.json up to date, because a killed recorder leaves nothing else that describes the recording.</summary>
    private void UpdateInterim(RecordingFolder folder)
    {
        try
        {
            folder.WriteInterim(() => DescribeSoFar(folder));
        }
        catch (IOException)
        {
            // The disk is full; the final description has its reserved space.
        }
    }

    private Recording DescribeSoFar(RecordingFolder folder) =>
        Describe(complete: false, Recording.NotEnded, child: null, exitCode: null, folder);

    private Recording Describe(bool complete, string interruption, ChildProcess? child, int? exitCode, RecordingFolder folder)
    {
        var tracers = _tracers.All();
        List<RecordedProcess> processes =
        [
            .. tracers.Select(tracer => tracer.Describe(_options.Sessions, tracer.ProcessId == child?.Id ? exitCode : null)),
        ];
        List<string> losses = [.. _tracers.Losses()];

        // Only after the command has ended: while it runs, runtimes may still connect.
        if (child is not null)
        {
            var untraced = new UntracedProcesses(folder, _options.ShownCommand, _startedUtc);
            processes.AddRange(untraced.Find(processes, child.Id, exitCode));
            losses.AddRange(untraced.CopyMaps(processes));
        }

        if (complete && processes.Count == 0)
        {
            losses.Add(
                _tracers.PassedBy == 0
                    ? $"no .NET runtime connected: {WhyNoRuntime() ?? "is it a program for .NET 5 or later? Mono needs MONO_ENV_OPTIONS=--jitmap or the run CSV"}"
                    : "only .NET SDK tools connected, which are recorded only with --follow"
            );
        }

        var recording = RecordingDescription.Of(
            _options,
            folder,
            _startedUtc,
            _elapsed.Elapsed,
            complete,
            interruption,
            processes,
            _kernel?.Describe(),
            losses
        );
        return _dumps?.Describe(recording, ended: child is not null) ?? recording;
    }
}
