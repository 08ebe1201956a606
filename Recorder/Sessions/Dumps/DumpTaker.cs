using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.DumpHook;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;
using Microsoft.Diagnostics.NETCore.Client;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>
/// Has the runtimes of recorded processes write dumps, one at a time and within the limits. Keeps the reason for each dump that is not
/// taken.
/// </summary>
internal sealed class DumpTaker : IDisposable
{
    /// <summary>Number of attempts to write a dump.</summary>
    private const int Attempts = 3;

    private static readonly TimeSpan s_beforeNextAttempt = TimeSpan.FromMilliseconds(300);

    private readonly DumpPlan _plan;
    private readonly RecordingFolder _folder;
    private readonly Action<string> _note;

    /// <summary>Allows one dump at a time, because the limits depend on the space that earlier dumps take.</summary>
    private readonly SemaphoreSlim _turn = new(1);

    /// <summary>Guards the fields below.</summary>
    private readonly Lock _gate = new();

    private readonly List<RecordedDump> _taken = [];
    private readonly List<DumpNotTaken> _notTaken = [];

    /// <summary>Creates a taker.</summary>
    /// <param name="plan">The limits.</param>
    /// <param name="folder">The recording's folder.</param>
    /// <param name="note">Reports a message to the user.</param>
    public DumpTaker(DumpPlan plan, RecordingFolder folder, Action<string> note)
    {
        _plan = plan;
        _folder = folder;
        _note = note;
    }

    /// <summary>Dumps taken so far, ordered by time.</summary>
    public IReadOnlyList<RecordedDump> Taken
    {
        get
        {
            lock (_gate)
                return [.. _taken];
        }
    }

    /// <summary>Requested dumps that were not taken.</summary>
    public IReadOnlyList<DumpNotTaken> NotTaken
    {
        get
        {
            lock (_gate)
                return [.. _notTaken];
        }
    }

    /// <summary>Takes a dump, or notes why it cannot.</summary>
    /// <param name="cause">What happened.</param>
    /// <param name="release">Releases the waiting thread and returns whether it was held until then; null when no thread waits.</param>
    public async Task TakeAsync(DumpCause cause, Func<Task<bool>>? release)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            var (dump, reason) = await WriteAsync(cause).ConfigureAwait(false);
            var held = release is not null && await release().ConfigureAwait(false);
            lock (_gate)
            {
                if (dump is null)
                    _notTaken.Add(new DumpNotTaken(cause.Trigger.Text, reason));
                else
                    _taken.Add(dump = dump with { Held = held, Note = NoteOf(cause, dump, held, waited: release is not null) });
            }

            _note(
                dump is null
                    ? $"no dump at {cause.Trigger}: {reason}"
                    : string.Create(
                        CultureInfo.InvariantCulture,
                        $"{dump.File} taken at {cause.Trigger}: {dump.Bytes / 1e6:0.0} MB in {(dump.StopTicks - dump.StartTicks) * 1e3 / dump.TicksPerSecond:0} ms"
                    )
            );
        }
        finally
        {
            _turn.Release();
        }
    }

    public void Dispose() => _turn.Dispose();

    private async Task<(RecordedDump? Dump, string Reason)> WriteAsync(DumpCause cause)
    {
        var process = string.Create(CultureInfo.InvariantCulture, $"process {cause.ProcessId}");
        if (Refusal(cause) is { Length: > 0 } refusal)
            return (null, $"{process}: {refusal}");
        var name = string.Create(CultureInfo.InvariantCulture, $"{RecordedDump.FolderName}/{cause.ProcessId}-{Taken.Count + 1}.dmp");
        var path = _folder.File(name);
        using var limit = new CancellationTokenSource(_plan.TimeLimit);
        var start = Stopwatch.GetTimestamp();
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            await WriteAsync(cause.ProcessId, path, limit.Token).ConfigureAwait(false);
            var stop = Stopwatch.GetTimestamp();
            return (
                new RecordedDump(
                    name,
                    cause.ProcessId,
                    cause.Trigger.Text,
                    _plan.Kind.ToString().ToLowerInvariant(),
                    cause.MomentTicks,
                    start,
                    stop,
                    Stopwatch.Frequency,
                    new FileInfo(path).Length
                )
                {
                    ThreadId = cause.ThreadId,
                    ManagedThreadId = cause.ManagedThreadId,
                    ExceptionType = cause.ExceptionType,
                    Message =
                        cause.Message.Length <= HookRequest.MessageLength ? cause.Message : cause.Message[..HookRequest.MessageLength],
                    ThrowNumber = cause.ThrowNumber,
                },
                ""
            );
        }
        catch (Exception exception)
            when (exception
                    is DiagnosticsClientException
                        or IOException
                        or UnauthorizedAccessException
                        or TimeoutException
                        or OperationCanceledException
            )
        {
            // A partial dump is useless and takes space.
            TryDelete(path);
            return (
                null,
                $"{process}: {(exception is OperationCanceledException ? string.Create(CultureInfo.InvariantCulture, $"it was not completed within {_plan.TimeLimit.TotalSeconds:0.###} s (--dump-time)") : $"the runtime could not write it: {exception.Message}")}"
            );
        }
    }

    /// <summary>
    /// Sometimes createdump fails, for example at a thread that just ends, and the runtime reports success nevertheless. The missing file
    /// shows this, and another attempt is made.
    /// </summary>
    private async Task WriteAsync(int processId, string path, CancellationToken cancellation)
    {
        var client = await DiagnosticPort.OpenAsync(processId, cancellation).ConfigureAwait(false);
        for (var attempt = 1; ; attempt++)
        {
            await client.WriteDumpAsync(TypeOf(_plan.Kind), path, logDumpGeneration: false, cancellation).ConfigureAwait(false);
            if (File.Exists(path))
                return;
            if (attempt == Attempts)
                throw new IOException("it reported success but wrote no file");
            await Task.Delay(s_beforeNextAttempt, cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Why a dump may not be taken; empty when it may.</summary>
    private string Refusal(DumpCause cause)
    {
        var taken = Taken;
        if (taken.Count >= _plan.Limit)
            return string.Create(CultureInfo.InvariantCulture, $"the limit of {_plan.Limit} dumps is reached (--dump-limit)");
        if (cause.Waits && Stopwatch.GetElapsedTime(cause.MomentTicks) > _plan.TimeLimit)
            return "its thread waited for other dumps and was released (--dump-time)";
        try
        {
            var expected = DumpSizeEstimate.ExpectedBytes(cause.ProcessId, _plan.Kind);
            var left = _plan.MaxBytes - taken.Sum(dump => dump.Bytes);
            if (expected > left)
                return string.Create(
                    CultureInfo.InvariantCulture,
                    $"it would need about {expected / 1e6:0} MB; {Math.Max(0, left) / 1e6:0} of the {_plan.MaxBytes / 1e6:0} MB for dumps are left (--dump-max-size)"
                );
            var free = _plan.FreeBytes(_folder.Path);
            return expected + _plan.ReserveBytes > free
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $"it would need about {expected / 1e6:0} MB; the disk has {free / 1e6:0} MB left, and {_plan.ReserveBytes / 1e6:0} MB must stay free"
                )
                : "";
        }
        catch (IOException exception)
        {
            return exception.Message;
        }
    }

    private static string NoteOf(DumpCause cause, RecordedDump dump, bool held, bool waited)
    {
        List<string> parts = cause.Note.Length > 0 ? [cause.Note] : [];
        if (waited && !held)
            parts.Add("the thread was released before the dump was complete (--dump-time)");
        else if (!waited && cause.Trigger.Kind == DumpTriggerKind.Exception)
            parts.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"taken {(dump.StartTicks - dump.MomentTicks) * 1e3 / dump.TicksPerSecond:0} ms after the throw, because no hook held the thread"
                )
            );
        return string.Join("; ", parts);
    }

    private static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The file does not exist, or may not be deleted.
        }
    }

    private static DumpType TypeOf(DumpKind kind) =>
        kind switch
        {
            DumpKind.Mini => DumpType.Normal,
            DumpKind.Full => DumpType.Full,
            _ => DumpType.WithHeap,
        };
}
