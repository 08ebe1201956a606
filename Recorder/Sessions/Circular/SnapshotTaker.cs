using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Recordings;
using Microsoft.Diagnostics.NETCore.Client;

namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>
/// Writes the kept part of a circular recording into a separate folder on request. The folder can be read like any recording, and
/// the recording continues meanwhile.
/// </summary>
/// <remarks>
/// A runtime names the methods compiled before the cut only when a session ends. So a third session is started and ended at once for each
/// process: its stream is the rundown and becomes the file names.nettrace.
/// </remarks>
internal sealed class SnapshotTaker
{
    /// <summary>Name of the session with method names.</summary>
    public const string NamesSession = "names";

    /// <summary>Interval between checks for a trigger.</summary>
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// How long to wait for events from before the trigger. The runtime sends events ten times a second, and rings are read five times a
    /// second; only a session without events takes all of this time.
    /// </summary>
    private static readonly TimeSpan s_maxDelivery = TimeSpan.FromSeconds(2);

    /// <summary>Interval between checks whether the events have arrived, and time limit for the rest of a delivery.</summary>
    private static readonly TimeSpan s_deliveryPoll = TimeSpan.FromMilliseconds(50);

    private static readonly PlannedSession s_namesPlan = new(
        NamesSession,
        [PlannedProvider.Create(EventOrigins.RuntimeProvider, (ulong)RuntimeKeywords.Loader, "Critical")],
        Rundown: true,
        BufferMegabytes: 64,
        "names of the methods that were compiled before the kept interval"
    );

    private readonly CircularRecording? _circular;
    private readonly RecordOptions _options;
    private readonly RecordingFolder _folder;
    private readonly Func<IReadOnlyList<ProcessTracer>> _tracers;
    private readonly Func<Recording> _describe;
    private readonly Action<string> _note;
    private int _taken;

    /// <summary>Creates a taker.</summary>
    /// <param name="circular">The recording; without one, each trigger gets a note as its answer.</param>
    /// <param name="options">Its options.</param>
    /// <param name="folder">Its folder; snapshots are folders in it.</param>
    /// <param name="tracers">Its processes.</param>
    /// <param name="describe">Creates its description.</param>
    /// <param name="note">Reports a message to the user.</param>
    public SnapshotTaker(
        CircularRecording? circular,
        RecordOptions options,
        RecordingFolder folder,
        Func<IReadOnlyList<ProcessTracer>> tracers,
        Func<Recording> describe,
        Action<string> note
    )
    {
        _circular = circular;
        _options = options;
        _folder = folder;
        _tracers = tracers;
        _describe = describe;
        _note = note;
    }

    /// <summary>Takes a snapshot at each trigger until the recording ends; completes a snapshot that has begun.</summary>
    public async Task RunAsync(CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            if (TryReadTrigger() is { } trigger)
                await TakeAsync(trigger).ConfigureAwait(false);
            await Task.Delay(s_pollInterval, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private string? TryReadTrigger()
    {
        if (_options.Snapshots is { } requests && requests.TryRead(out var request))
            return request;
        if (_options.TriggerFile is not { } file || !File.Exists(file))
            return null;
        try
        {
            File.Delete(file);
            return file;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null; // cannot be deleted yet: the next poll tries again
        }
    }

    private async Task TakeAsync(string trigger)
    {
        if (_circular is null)
        {
            _note("no snapshot: --mode file keeps everything in files; snapshots need --mode circular:SIZE");
            return;
        }

        var time = Stopwatch.GetTimestamp();
        var name = string.Create(CultureInfo.InvariantCulture, $"snapshot-{++_taken}");
        var path = _folder.File(name);
        try
        {
            Directory.CreateDirectory(path);
            while (!_circular.IsCompleteUpTo(time) && Stopwatch.GetElapsedTime(time) < s_maxDelivery)
                await Task.Delay(s_deliveryPoll).ConfigureAwait(false);
            await Task.Delay(s_deliveryPoll).ConfigureAwait(false);
            var part = _circular.Write(path, time, trigger);
            CopyRuns(path);
            var names = new Dictionary<int, RecordedSession>();
            foreach (var tracer in _tracers())
            {
                if (!tracer.Completion.IsCompleted)
                    names[tracer.ProcessId] = await TakeNamesAsync(tracer.ProcessId, path, isFirst: names.Count == 0).ConfigureAwait(false);
            }

            RecordingFile.Write(path, WithNames(part.Describe(_describe()), names));
            _note(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{name} holds {part.Interval.Seconds:0.0} s, {part.Interval.KeptBytes / 1e6:0.0} MB"
                )
            );
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            _note($"{name} could not be written: {exception.Message}");
        }
    }

    private async Task<RecordedSession> TakeNamesAsync(int processId, string path, bool isFirst)
    {
        var file = isFirst
            ? $"{NamesSession}.nettrace"
            : string.Create(CultureInfo.InvariantCulture, $"{NamesSession}.{processId}.nettrace");
        try
        {
            using var answer = new CancellationTokenSource(_options.Limits.Answer);
            using var stop = new CancellationTokenSource(_options.Limits.Stop);
            var output = new FileStream(Path.Combine(path, file), FileMode.CreateNew, FileAccess.Write, FileShare.Read);
            await using var recorder = await EventPipeRecorder
                .StartAsync(processId, s_namesPlan, output, gcs: null, answer.Token)
                .ConfigureAwait(false);
            await recorder.StopAsync(stop.Token).ConfigureAwait(false);
            return new RecordedSession(NamesSession, file, recorder.Bytes, await recorder.Completion.ConfigureAwait(false));
        }
        catch (Exception exception)
            when (exception is DiagnosticsClientException or IOException or OperationCanceledException or TimeoutException)
        {
            File.Delete(Path.Combine(path, file));
            return new RecordedSession(
                NamesSession,
                "",
                0,
                $"was not started, so methods compiled before the kept interval have no names: {exception.Message}"
            );
        }
    }

    /// <summary>Copies the complete rows of the run CSV, and the description of the runs' environment.</summary>
    private void CopyRuns(string path)
    {
        if (File.Exists(_folder.File(RunEnvironment.FileName)))
            File.Copy(_folder.File(RunEnvironment.FileName), Path.Combine(path, RunEnvironment.FileName));
        var source = _folder.File(Recording.RunsFileName);
        if (!File.Exists(source))
            return;
        using var file = new FileStream(source, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var bytes = new byte[file.Length];
        var length = bytes.AsSpan(0, file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false)).LastIndexOf((byte)'\n') + 1;
        File.WriteAllBytes(Path.Combine(path, Recording.RunsFileName), bytes[..length]);
    }

    private static Recording WithNames(Recording recording, Dictionary<int, RecordedSession> names) =>
        recording with
        {
            PlannedSessions = [.. recording.PlannedSessions, s_namesPlan],
            Losses =
            [
                .. recording.Losses,
                .. names
                    .Where(pair => pair.Value.Error.Length > 0)
                    .Select(pair => $"session '{NamesSession}' of process {pair.Key}: {pair.Value.Error}"),
            ],
            Processes =
            [
                .. recording.Processes.Select(process =>
                    names.TryGetValue(process.ProcessId, out var session)
                        ? process with
                        {
                            Sessions = [.. process.Sessions, session],
                        }
                        : process
                ),
            ],
        };
}
