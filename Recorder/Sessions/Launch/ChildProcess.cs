using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>The recorded command. Disposing ends the process tree, so it is never left behind.</summary>
public sealed partial class ChildProcess : IAsyncDisposable
{
    private const int SigTerm = 15;

    /// <summary>Time limit for a process to end after it was asked.</summary>
    private static readonly TimeSpan s_endLimit = TimeSpan.FromSeconds(5);

    private readonly Process _process;

    /// <summary>Copies redirected output; completed when output is inherited.</summary>
    private readonly Task _output;

    /// <summary>The command, if the started process is its parent and samples it; else null.</summary>
    private Process? _followed;

    private bool _hasLostParent;

    private ChildProcess(Process process, TextWriter? output)
    {
        _process = process;
        _output = output is null ? Task.CompletedTask : PumpAsync(process.StandardOutput, output);
    }

    /// <summary>Process id.</summary>
    public int Id => _followed?.Id ?? _process.Id;

    /// <summary>Whether it has ended.</summary>
    public bool HasExited => _process.HasExited && _followed is null or { HasExited: true };

    /// <summary>
    /// Exit code; null while it runs, and when its parent, which would know it, was killed. On Unix 128 + signal number for a process that
    /// a signal ended.
    /// </summary>
    public int? ExitCode => HasExited && !_hasLostParent ? _process.ExitCode : null;

    /// <summary>Starts a command.</summary>
    /// <param name="command">Program and arguments.</param>
    /// <param name="workingDirectory">Working directory.</param>
    /// <param name="environment">Variables that differ from the recorder's own; a null value removes one.</param>
    /// <param name="output">Target of its standard output; null to inherit the recorder's.</param>
    /// <exception cref="LaunchException">The program does not exist or may not be executed.</exception>
    public static ChildProcess Start(
        IReadOnlyList<string> command,
        string workingDirectory,
        IReadOnlyDictionary<string, string?> environment,
        TextWriter? output
    )
    {
        ArgumentNullException.ThrowIfNull(command);
        ArgumentNullException.ThrowIfNull(environment);
        var start = new ProcessStartInfo(command[0])
        {
            UseShellExecute = false,
            WorkingDirectory = workingDirectory,
            RedirectStandardOutput = output is not null,
        };
        foreach (var argument in command.Skip(1))
            start.ArgumentList.Add(argument);
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        try
        {
            var process =
                Process.Start(start)
                ?? throw new LaunchException(
                    $"cannot start '{command[0]}'",
                    workingDirectory,
                    "give the path of a program, or 'dotnet app.dll'"
                );
            return new ChildProcess(process, output);
        }
        catch (Exception exception) when (exception is Win32Exception or FileNotFoundException or InvalidOperationException)
        {
            var reason = exception is Win32Exception { NativeErrorCode: var code } ? new Win32Exception(code).Message : exception.Message;
            throw new LaunchException(
                $"cannot start '{command[0]}': {reason}",
                workingDirectory,
                "give the path of a program, or 'dotnet app.dll'",
                exception
            );
        }
    }

    /// <summary>Declares that the started process is the parent of the command; it ends with the command and has its exit code.</summary>
    /// <param name="command">Process id of the command; 0 when it was not started.</param>
    public async Task FollowAsync(Task<int> command)
    {
        await Task.WhenAny(command, _process.WaitForExitAsync()).ConfigureAwait(false);
        try
        {
            if (command.IsCompletedSuccessfully && await command.ConfigureAwait(false) is > 0 and var id)
                _followed = Process.GetProcessById(id);
        }
        catch (ArgumentException)
        {
            // It has already ended, together with its parent.
        }
    }

    /// <summary>Waits for the end of the process and of its redirected output.</summary>
    public async Task WaitForExitAsync(CancellationToken cancellation)
    {
        await _process.WaitForExitAsync(cancellation).ConfigureAwait(false);
        if (_followed is { HasExited: false })
        {
            // Its parent was killed. The process continues, and its exit code stays unknown.
            _hasLostParent = true;
            await _followed.WaitForExitAsync(cancellation).ConfigureAwait(false);
        }

        await Task.WhenAny(_output, Task.Delay(s_endLimit, cancellation)).ConfigureAwait(false);
    }

    /// <summary>Asks the process and its descendants to end (SIGTERM), and kills them after five seconds.</summary>
    /// <param name="atOnce">Kills without asking: a suspended runtime cannot answer.</param>
    public async Task EndAsync(bool atOnce)
    {
        try
        {
            if (!atOnce && !OperatingSystem.IsWindows() && !HasExited && AskToEnd() && await ExitedAsync().ConfigureAwait(false))
                return;
            Kill();
            await ExitedAsync().ConfigureAwait(false);
        }
        catch (InvalidOperationException)
        {
            // It ended meanwhile.
        }
    }

    /// <summary>Kills the process and its descendants.</summary>
    public void Kill()
    {
        try
        {
            if (!_process.HasExited)
                _process.Kill(entireProcessTree: true);
            if (_followed is { HasExited: false })
                _followed.Kill(entireProcessTree: true);
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception or AggregateException)
        {
            // It ended meanwhile, or a part of its tree may not be killed.
        }
    }

    /// <summary>Sends SIGTERM to all processes of the tree: a shell that ends would leave the program that it waits for.</summary>
    private bool AskToEnd()
    {
        var below = ProcessTree.Below(Id);
        var isAsked = Signal(Id, SigTerm) == 0;
        foreach (var process in below)
            _ = Signal(process, SigTerm);
        return isAsked;
    }

    /// <summary>Ends the process tree if it is still running.</summary>
    public async ValueTask DisposeAsync()
    {
        await EndAsync(atOnce: true).ConfigureAwait(false);
        _process.Dispose();
        _followed?.Dispose();
    }

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Signal(int processId, int signal);

    private static async Task PumpAsync(TextReader from, TextWriter to)
    {
        while (await from.ReadLineAsync().ConfigureAwait(false) is { } line)
            await to.WriteLineAsync(line).ConfigureAwait(false);
    }

    private async Task<bool> ExitedAsync()
    {
        using var limit = new CancellationTokenSource(s_endLimit);
        try
        {
            await _process.WaitForExitAsync(limit.Token).ConfigureAwait(false);
            if (_followed is not null)
                await _followed.WaitForExitAsync(limit.Token).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }
}
