using System.IO.Pipes;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>
/// Starts a program behind a gate: a shell that waits, and becomes the program (same process id, exec) when the gate opens. Meanwhile events can be opened
/// on the process, so that the program is covered from its first instruction. If the recorder ends before the gate opens, the shell ends too.
/// </summary>
/// <remarks>
/// The shell waits for a line on a pipe that it opens through /proc/RECORDER/fd. So standard input stays the recorder's own, nothing is inherited
/// that the program would have to close, and the pipe's end tells the shell that the recorder is gone. It needs a recorder whose /proc is readable for its
/// own user: not one with file capabilities (setcap).
/// </remarks>
public sealed class GatedLaunch : IDisposable
{
    /// <summary>Exit code of a gate that was never opened.</summary>
    public const int NotOpenedExitCode = 125;

    private readonly AnonymousPipeServerStream _pipe = new(PipeDirection.Out, HandleInheritability.None);

    private bool _open;

    /// <summary>Wraps a command.</summary>
    /// <param name="command">Program and arguments.</param>
    /// <exception cref="LaunchException">The program does not exist or may not be run; the shell could only say so with an exit code.</exception>
    public GatedLaunch(IReadOnlyList<string> command)
    {
        ArgumentNullException.ThrowIfNull(command);
        string program;
        try
        {
            program = FindProgram(command[0]);
        }
        catch
        {
            _pipe.Dispose();
            throw;
        }

        var reader = _pipe.ClientSafePipeHandle.DangerousGetHandle();
        Command =
        [
            "/bin/sh", "-c", $"read -r _ </proc/{Environment.ProcessId}/fd/{reader} || exit {NotOpenedExitCode}; exec \"$@\"", "sh", program, .. command.Skip(1),
        ];
    }

    /// <summary>The command to start instead.</summary>
    public IReadOnlyList<string> Command { get; }

    /// <summary>Lets the program begin. Calling it again does nothing.</summary>
    /// <exception cref="IOException">The process has ended.</exception>
    public void Open()
    {
        if (_open)
            return;
        _open = true;
        _pipe.Write("\n"u8);
        _pipe.Flush();
    }

    /// <summary>Ends the gate; when it was not opened, its process ends.</summary>
    public void Dispose() => _pipe.Dispose();

    /// <summary>Finds a program as <see cref="System.Diagnostics.Process"/> does: a path, a file in the current folder, a file in a folder of PATH.</summary>
    /// <exception cref="LaunchException">There is none, or it may not be run.</exception>
    internal static string FindProgram(string name)
    {
        var candidates = name.Contains('/', StringComparison.Ordinal)
            ? [Path.GetFullPath(name)]
            : (IEnumerable<string>)
            [
                Path.GetFullPath(name),
                .. (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':', StringSplitOptions.RemoveEmptyEntries).Select(folder => Path.Combine(folder, name)),
            ];
        string? found = null;
        foreach (var candidate in candidates.Where(File.Exists))
        {
            if (OperatingSystem.IsWindows() || (File.GetUnixFileMode(candidate) & (UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute)) != 0)
                return candidate;
            found ??= candidate;
        }

        throw found is null
            ? new LaunchException($"Cannot start '{name}': no such program", "the command after --", "give the path of a program, or 'dotnet app.dll'")
            : new LaunchException($"Cannot start '{name}': it is not executable", found, "make it executable (chmod +x), give the path of a program, or 'dotnet app.dll'");
    }
}
