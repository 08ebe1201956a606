using System.IO.Pipes;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>
/// Starts a program suspended: a shell waits, and becomes the program (exec, same process id) when the recorder opens the gate. Meanwhile
/// the recorder can open events for the process, which then cover the program from its first instruction. If the recorder ends before it
/// opens the gate, the shell ends too.
/// </summary>
/// <remarks>
/// The shell waits for a line on a pipe that it opens through /proc/RECORDER/fd. So standard input stays the recorder's own, the program
/// inherits nothing that it would have to close, and the end of the pipe signals the end of the recorder. The user must be able to read the
/// recorder's /proc, which excludes a recorder with file capabilities (setcap).
/// </remarks>
public sealed class GatedLaunch : IDisposable
{
    /// <summary>Exit code when the gate was never opened.</summary>
    public const int NotOpenedExitCode = 125;

    private readonly AnonymousPipeServerStream _pipe = new(PipeDirection.Out, HandleInheritability.None);

    private bool _open;

    /// <summary>Wraps a command.</summary>
    /// <param name="command">Program and arguments.</param>
    /// <exception cref="LaunchException">
    /// The program does not exist or may not be executed; the shell could only report that by an exit code.
    /// </exception>
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
            "/bin/sh",
            "-c",
            $"read -r _ </proc/{Environment.ProcessId}/fd/{reader} || exit {NotOpenedExitCode}; exec \"$@\"",
            "sh",
            program,
            .. command.Skip(1),
        ];
    }

    /// <summary>The command to start instead.</summary>
    public IReadOnlyList<string> Command { get; }

    /// <summary>Lets the program start. Calling it again does nothing.</summary>
    /// <exception cref="IOException">The process has ended.</exception>
    public void Open()
    {
        if (_open)
            return;
        _open = true;
        _pipe.Write("\n"u8);
        _pipe.Flush();
    }

    /// <summary>Closes the gate; if it was never opened, its process ends.</summary>
    public void Dispose() => _pipe.Dispose();

    /// <summary>
    /// Finds a program like <see cref="System.Diagnostics.Process"/>: a path, a file in the current folder, a file in a folder of PATH.
    /// </summary>
    /// <exception cref="LaunchException">The program does not exist or may not be executed.</exception>
    internal static string FindProgram(string name)
    {
        var candidates = name.Contains('/', StringComparison.Ordinal)
            ? [Path.GetFullPath(name)]
            : (IEnumerable<string>)
                [
                    Path.GetFullPath(name),
                    .. (Environment.GetEnvironmentVariable("PATH") ?? "")
                        .Split(':', StringSplitOptions.RemoveEmptyEntries)
                        .Select(folder => Path.Combine(folder, name)),
                ];
        string? found = null;
        foreach (var candidate in candidates.Where(File.Exists))
        {
            if (
                OperatingSystem.IsWindows()
                || (File.GetUnixFileMode(candidate) & (UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute))
                    != 0
            )
                return candidate;
            found ??= candidate;
        }

        throw found is null
            ? new LaunchException(
                $"cannot start '{name}': program not found",
                "the command after --",
                "give the path of a program, or 'dotnet app.dll'"
            )
            : new LaunchException(
                $"cannot start '{name}': it is not executable",
                found,
                "make it executable (chmod +x), give the path of a program, or 'dotnet app.dll'"
            );
    }
}
