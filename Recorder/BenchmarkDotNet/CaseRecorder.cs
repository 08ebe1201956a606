using System.Diagnostics;
using System.Reflection;
using EtwSerializerProfiler.Sessions.Attach;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>
/// Records the process of one benchmark while it runs. The process waits for the host's answer at its begin and end, so the recording
/// misses nothing.
/// </summary>
/// <param name="profiled">The benchmark.</param>
/// <param name="options">What is recorded.</param>
#pragma warning disable CA1001 // a CancellationTokenSource without timer and handle owns no resources
internal sealed class CaseRecorder(ProfiledCase profiled, SerializerProfileOptions options)
#pragma warning restore CA1001
{
    /// <summary>Limit for starting all sessions; each session has a shorter limit of its own.</summary>
    private static readonly TimeSpan s_startLimit = TimeSpan.FromMinutes(2);

    private readonly CancellationTokenSource _end = new();
    private readonly IReadOnlyList<PlannedSession> _sessions = EventPipePlan.Create(
        EventPipePlan.SessionNames,
        options.SampledAllocations ? AllocationEvents.Sampled : AllocationEvents.None,
        inlineeTypes: false
    );
    private IReadOnlyList<RuntimeVariable> _variables = [];

    /// <summary>The recording; null before it begins and after it ends.</summary>
    private Task<RecordingResult>? _recording;

    /// <summary>Whether the benchmark has signalled its end.</summary>
    private bool _isDone;

    public static string ToolVersion { get; } =
        typeof(CaseRecorder).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ?? "";

    /// <summary>Makes the process start with inline information from its runtime. A value that the user has set stays.</summary>
    public void Prepare(ProcessStartInfo start)
    {
        _variables = RuntimeVariables.Create(
            _sessions,
            jitAll: false,
            name => start.Environment.TryGetValue(name, out var value) ? value : null
        );
        foreach (var variable in _variables.Where(variable => !variable.SetByUser))
            start.Environment[variable.Name] = variable.Value;
    }

    /// <summary>Begins to record; returns when all sessions record.</summary>
    /// <exception cref="AttachException">The process may not be recorded.</exception>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    public void Begin(int processId)
    {
        var started = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _recording = Task.Run(() => RecordAsync(processId, started.SetResult));
        if (Task.WaitAny([_recording, started.Task], s_startLimit) < 0)
            profiled.Note(
                $"its recording did not begin within {s_startLimit.TotalMinutes:0} minutes; run the benchmark again on a less busy machine"
            );
        else if (_recording.IsFaulted)
            _recording.GetAwaiter().GetResult();
    }

    /// <summary>Ends the recording while the process still lives, because only a live runtime can send the names of its methods.</summary>
    public void End()
    {
        _isDone = true;
        Finish();
    }

    /// <summary>Ends the recording after the process has ended, normally or not.</summary>
    public void EndAfterExit()
    {
        if (_recording is not null && !_isDone)
            profiled.Note(
                "its process ended before its last iteration, so the recording is incomplete; see BenchmarkDotNet's log for the reason"
            );
        Finish();
    }

    private void Finish()
    {
        if (_recording is not { } recording)
            return;
        _recording = null;
        _end.Cancel();
        if (!recording.IsFaulted)
            profiled.Recorded(recording.GetAwaiter().GetResult()); // has time limits of its own
    }

    private async Task<RecordingResult> RecordAsync(int processId, Action started)
    {
        var limits = new RecordLimits();
        var target = await AttachTarget.FindAsync(processId, limits.Answer).ConfigureAwait(false);
        var record = new RecordOptions
        {
            Command = target.Command,
            WorkingDirectory = target.WorkingDirectory,
            Source = SourceReader.Read(target.WorkingDirectory, Environment.GetEnvironmentVariable),
            Folder = profiled.Path,
            Sessions = target.WithoutRuntime is null ? _sessions : [],
            Kernel = ProfileValidation.PlanKernel(options, out var reason),
            Variables = _variables,
            ToolVersion = ToolVersion,
            Limits = limits,
        };
        if (reason is not null)
            profiled.Note(reason);
        return await AttachRunner.RunAsync(target, record, progress: null, _end.Token, started).ConfigureAwait(false);
    }
}
