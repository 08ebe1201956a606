using System.ComponentModel;
using System.Diagnostics;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>
/// Ends the recorded command when the recorder has died without ending it: killed, crashed, out of memory. A shell blocks in a read on a
/// pipe of the recorder. If the pipe closes without a farewell, the recorder is gone, and a runtime that waits for the recorder
/// would wait forever.
/// </summary>
/// <remarks>
/// <para>
/// The shell is a child of the recorder like the command. So it is not part of the recorded tree, holds none of the tree's pipes, and waits
/// for processes do not see it. Processes of the tree are identified by a text in their environment (the mark), or by their parents if they
/// cleared their environment. The shell asks them to end (SIGTERM). After five seconds it stops the remaining ones, so that they cannot
/// start others, and kills them.
/// </para>
/// <para>
/// It needs /proc, /bin/sh and grep, which every Linux distribution with a shell has. An ordinary user can neither see nor end processes
/// that changed their user.
/// </para>
/// </remarks>
public sealed class Supervisor : IAsyncDisposable
{
    /// <summary>Time limit for the shell to end after the farewell.</summary>
    private static readonly TimeSpan s_endLimit = TimeSpan.FromSeconds(5);

    /// <summary>Line that makes the shell end without doing anything.</summary>
    private const string Farewell = "done";

    /// <summary>
    /// Reads the mark, then files to remove up to an empty line, then waits. It ignores the terminal's signals, which are for the recorder.
    /// <c>tree</c> sets <c>found</c> to the living processes with the mark and their descendants. A process that has ended but was not
    /// waited for (Z) has no environment; the script ignores it.
    /// </summary>
    private const string Script = """
        trap '' INT HUP QUIT TERM
        cd /
        exec >/dev/null 2>&1
        IFS= read -r mark || exit 0
        while IFS= read -r file && [ -n "$file" ]; do set -- "$@" "$file"; done
        read -r end
        [ "$end" = done ] && exit 0
        is_found() { case " $found " in *" $1 "*) return 0;; esac; return 1; }
        tree() {
          found=
          for file in $(grep -lF -e "$mark" /proc/[0-9]*/environ); do file=${file#/proc/}; found="$found ${file%/environ}"; done
          for process in $known; do is_found "$process" || { [ -e "/proc/$process/exe" ] && found="$found $process"; }; done
          more=1
          while [ -n "$more" ]; do
            more=
            for file in /proc/[0-9]*; do
              process=${file#/proc/}
              is_found "$process" && continue
              { IFS= read -r line <"$file/stat"; } || continue
              line=${line##*) }; line=${line#? }; parent=${line%% *}
              is_found "$parent" && [ -e "$file/exe" ] && { found="$found $process"; more=1; }
            done
          done
          [ -n "$found" ]
        }
        known=
        if tree; then
          known=$found
          kill -TERM $found
          wait=0
          while [ $wait -lt 50 ] && tree; do sleep 0.1; wait=$((wait+1)); done
          round=0
          while [ $round -lt 50 ] && tree; do
            last=
            while [ "$found" != "$last" ]; do last=$found; kill -STOP $found; tree || break; done
            kill -KILL $found
            sleep 0.1
            round=$((round+1))
          done
        fi
        [ $# -gt 0 ] && rm -f -- "$@"
        exit 0
        """;

    /// <summary>Null without /proc or a shell: then nothing supervises the command.</summary>
    private readonly Process? _shell;

    private Supervisor(Process? shell) => _shell = shell;

    /// <summary>Process id of the shell; null without supervision: outside Linux, or without /bin/sh.</summary>
    public int? ProcessId => _shell?.Id;

    /// <summary>Starts watching. Called before the command starts, so that it is always supervised.</summary>
    /// <param name="mark">Text of at least ten characters that only processes of the command's tree have in their environment.</param>
    /// <param name="files">Files of the recorder to remove when it has died: sockets, reserves.</param>
    public static Supervisor Start(string mark, IReadOnlyList<string> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        ArgumentException.ThrowIfNullOrWhiteSpace(mark);
        ArgumentOutOfRangeException.ThrowIfLessThan(mark.Length, 10, nameof(mark));
        if (!OperatingSystem.IsLinux())
            return new Supervisor(null);
        try
        {
            // The mark must not be in the shell's own environment or command line, because grep searches environments.
            var start = new ProcessStartInfo("/bin/sh", ["-c", Script, "esp-supervisor"]) { RedirectStandardInput = true };
            start.Environment.Clear();
            start.Environment["PATH"] = "/usr/local/bin:/usr/bin:/bin";
            start.Environment["LC_ALL"] = "C";
            var shell = Process.Start(start)!;
            foreach (var line in (string[])[mark, .. files.Where(file => !file.Contains('\n', StringComparison.Ordinal)), ""])
                shell.StandardInput.Write(line + "\n");
            shell.StandardInput.Flush();
            return new Supervisor(shell);
        }
        catch (Exception exception) when (exception is Win32Exception or IOException)
        {
            return new Supervisor(null);
        }
    }

    /// <summary>Signals the shell that the command has ended normally.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_shell is null)
            return;
        try
        {
            await _shell.StandardInput.WriteAsync(Farewell + "\n").ConfigureAwait(false);
            _shell.StandardInput.Close();
            using var limit = new CancellationTokenSource(s_endLimit);
            await _shell.WaitForExitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is IOException or OperationCanceledException)
        {
            // The shell was killed, or will end later.
        }

        _shell.Dispose();
    }
}
