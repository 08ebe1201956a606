using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>
/// The coordinator's side of a worker process. Used by one thread, except that any thread may call <see cref="Dispose"/>.
/// </summary>
internal sealed class WorkerProcess : IDisposable
{
    private static readonly TimeSpan s_farewell = TimeSpan.FromMilliseconds(500);

    /// <summary>
    /// Time limit for the last output of an ended process. It is available at once, unless the machine is busy or a child process holds its
    /// error stream open.
    /// </summary>
    private static readonly TimeSpan s_lastWords = TimeSpan.FromSeconds(30);

    /// <summary>Signals that end a process, by number.</summary>
    private static readonly Dictionary<int, string> s_signals = new()
    {
        [4] = "illegal instruction",
        [6] = "abort",
        [7] = "bus error",
        [9] = "killed, possibly because memory ran out",
        [11] = "segmentation fault",
        [15] = "terminated",
    };

    private readonly Process _process;
    private readonly Task<string> _errors;
    private int _ended;

    private WorkerProcess(Process process)
    {
        _process = process;
        _errors = process.StandardError.ReadToEndAsync();
    }

    /// <summary>Its process id.</summary>
    public int Id => _process.Id;

    /// <summary>Starts a worker and waits until it is ready.</summary>
    /// <exception cref="StoreException">It cannot be started, or the store cannot be used.</exception>
    /// <exception cref="WorkerEndedException">It ended immediately.</exception>
    public static WorkerProcess Start(WorkerProgram program, WorkerSetup setup)
    {
        WorkerProcess worker;
        try
        {
            worker = new WorkerProcess(program.Start());
        }
        catch (Exception exception) when (exception is Win32Exception or FileNotFoundException)
        {
            throw new StoreException(
                new Problem($"a worker process cannot be started: {exception.Message.TrimEnd('.')}", program.File, "reinstall the tool"),
                exception
            );
        }

        try
        {
            worker.Ask(WorkerJson.Write(setup), null);
            return worker;
        }
        catch
        {
            worker.Dispose();
            throw;
        }
    }

    /// <summary>Executes a task.</summary>
    /// <param name="task">The task.</param>
    /// <param name="progress">Receives the share that is done, from 0 to 1.</param>
    /// <exception cref="StoreException">The store cannot be used.</exception>
    /// <exception cref="WorkerEndedException">It ended.</exception>
    public WorkerReply Do(WorkerTask task, Action<double> progress) => Ask(WorkerJson.Write(task), progress);

    /// <summary>Kills the worker; a task in progress is lost.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _ended, 1) != 0)
            return;
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended.
        }

        if (!_process.WaitForExit(s_farewell))
            Kill();
        _process.Dispose();
    }

    private WorkerReply Ask(string line, Action<double>? progress)
    {
        try
        {
            _process.StandardInput.WriteLine(line);
            _process.StandardInput.Flush();
            while (_process.StandardOutput.ReadLine() is { } answer)
            {
                var reply = WorkerJson.Read<WorkerReply>(answer);
                if (reply.Kind == WorkerReplyKind.Progress)
                    progress?.Invoke(reply.Done);
                else
                    return reply.Kind == WorkerReplyKind.StoreFailed
                        ? throw new StoreException(reply.Problem!) { IsUsage = reply.IsUsage }
                        : reply;
            }
        }
        catch (JsonException)
        {
            Kill(); // a truncated line, or not a worker
        }
        catch (Exception exception)
            when ((exception is IOException and not StoreException) || exception is InvalidOperationException or ObjectDisposedException)
        {
            // It has ended.
        }

        throw new WorkerEndedException(Reason());
    }

    private string Reason()
    {
        if (_ended != 0)
            return "it was killed";
        try
        {
            if (!_process.WaitForExit(TimeSpan.FromSeconds(5)))
                Kill();
            var code = _process.ExitCode;
            var how =
                !OperatingSystem.IsWindows() && code > 128 && s_signals.TryGetValue(code - 128, out var signal)
                    ? string.Create(CultureInfo.InvariantCulture, $"signal {code - 128}: {signal}")
                    : string.Create(CultureInfo.InvariantCulture, $"exit code {code}");
            var said = _errors.Wait(s_lastWords)
                ? _errors.Result.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).FirstOrDefault("")
                : "";
            return said.Length > 0 ? $"{how}; it said: {said}" : how;
        }
        catch (Exception exception) when (exception is InvalidOperationException or AggregateException)
        {
            return "it was killed";
        }
    }

    private void Kill()
    {
        try
        {
            _process.Kill();
            _process.WaitForExit();
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
        {
            // It has ended.
        }
    }
}

/// <summary>Thrown when a worker process ended without an answer.</summary>
/// <param name="reason">How it ended.</param>
internal sealed class WorkerEndedException(string reason) : Exception(reason);
