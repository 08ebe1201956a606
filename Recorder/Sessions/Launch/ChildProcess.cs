using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>The recorded command. Never left behind: ending this object ends the process tree.</summary>
public sealed partial class ChildProcess : IAsyncDisposable
{
    private const int SigTerm = 15;

    /// <summary>How long a process may take to end once it was told to.</summary>
    private static readonly TimeSpan s_endLimit = TimeSpan.FromSeconds(5);

    /// <summary>The process.</summary>
    private readonly Process _process;

    /// <summary>Copies of redirected output; empty when output is inherited.</summary>
    private readonly Task _output;

    /// <summary>The command, when the process that was started is its parent and samples it; else null.</summary>
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

    /// <summary>Exit code, null while it runs, and when the parent that would know it was killed. On Unix 128 + signal number for a process that a signal ended.</summary>
    public int? ExitCode => HasExited && !_hasLostParent ? _process.ExitCode : null;

    /// <summary>Starts a command.</summary>
    /// <param name="command">Program and arguments.</param>
    /// <param name="workingDirectory">Working directory.</param>
    /// <param name="environment">Variables that differ from the recorder's own; null removes one.</param>
    /// <param name="output">Where its standard output goes; null lets it inherit the recorder's.</param>
    /// <exception cref="LaunchException">The program does not exist or may not be run.</exception>
    public static ChildProcess Start(IReadOnlyList<string> command, string workingDirectory, IReadOnlyDictionary<string, string?> environment, TextWriter? output)
    {
        ArgumentNullException.ThrowIfNull(command);
        ArgumentNullException.ThrowIfNull(environment);
        var start = new ProcessStartInfo(command[0]) { UseShellExecute = false, WorkingDirectory = workingDirectory, RedirectStandardOutput = output is not null };
        foreach (var argument in command.Skip(1))
            start.ArgumentList.Add(argument);
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        try
        {
            var process = Process.Start(start) ?? throw new LaunchException($"Cannot start '{command[0]}'", workingDirectory, "give the path of a program, or 'dotnet app.dll'");
            return new ChildProcess(process, output);
        }
        catch (Exception exception) when (exception is Win32Exception or FileNotFoundException or InvalidOperationException)
        {
            var reason = exception is Win32Exception { NativeErrorCode: var code } ? new Win32Exception(code).Message : exception.Message;
            throw new LaunchException($"Cannot start '{command[0]}': {reason}", workingDirectory, "give the path of a program, or 'dotnet app.dll'", exception);
        }
    }

    /// <summary>Learns that the process that was started is the parent of the command, and ends with it and with its exit code.</summary>
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
            // It has ended already, and its parent with it.
        }
    }

    /// <summary>Waits for the end of the process and of its redirected output.</summary>
    public async Task WaitForExitAsync(CancellationToken cancellation)
    {
        await _process.WaitForExitAsync(cancellation).ConfigureAwait(false);
        if (_followed is { HasExited: false })
        {
            // Its parent was killed; it goes on, and nobody will know its exit code.
            _hasLostParent = true;
            await _followed.WaitForExitAsync(cancellation).ConfigureAwait(false);
        }

        await Task.WhenAny(_output, Task.Delay(s_endLimit, cancellation)).ConfigureAwait(false);
    }

    /// <summary>Asks the process and all below it to end (SIGTERM), and after five seconds ends them.</summary>
    /// <param name="atOnce">Does not ask first: a suspended runtime cannot answer.</param>
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
            // It ended in between.
        }
    }

    /// <summary>Ends the process and all below it at once.</summary>
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
            // It ended in between, or some of its tree is no longer ours to end.
        }
    }

    /// <summary>Sends SIGTERM. All get it: a shell that ends would leave the program that it waits for.</summary>
    private bool AskToEnd()
    {
        var below = ProcessTree.Below(Id);
        var isAsked = Signal(Id, SigTerm) == 0;
        foreach (var process in below)
            _ = Signal(process, SigTerm);
        return isAsked;
    }

    /// <summary>Ends the process tree if it still runs.</summary>
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
