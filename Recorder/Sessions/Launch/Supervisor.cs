using System.ComponentModel;
using System.Diagnostics;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>
/// Ends the recorded command when the recorder is gone without having ended it: killed, crashed, out of memory. A shell sleeps in a read on a pipe of the
/// recorder; when it ends without a farewell, nobody records any more, and a runtime that waits for the recorder
/// would wait for ever.
/// </summary>
/// <remarks>
/// <para>
/// The shell is a child of the recorder beside the command, so it is no part of the recorded tree, holds none of its pipes and is not seen by its waits.
/// What belongs to the tree is known by a text that all its processes have in their environment (the mark), and by their parents for those
/// that clear their environment. They are asked to end (SIGTERM); after five seconds the rest is stopped, so that nothing new is started meanwhile, and killed.
/// </para>
/// <para>
/// It needs /proc, /bin/sh and grep, which every Linux distribution with a shell has. Processes that changed their user cannot be seen nor ended by an ordinary
/// user.
/// </para>
/// </remarks>
public sealed class Supervisor : IAsyncDisposable
{
    /// <summary>How long the shell may take to end after it was told that all is well.</summary>
    private static readonly TimeSpan s_endLimit = TimeSpan.FromSeconds(5);

    /// <summary>Line after which the shell ends and does nothing.</summary>
    private const string Farewell = "done";

    /// <summary>
    /// Reads the mark, then files to remove up to an empty line, then waits. The terminal's signals are for the recorder. <c>tree</c> sets <c>found</c> to the
    /// living processes with the mark and all below them; a process that ended but was not waited for (Z) has no environment and is not waited for here either.
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

    /// <summary>Null where there is no /proc or no shell: then nobody watches.</summary>
    private readonly Process? _shell;

    private Supervisor(Process? shell) => _shell = shell;

    /// <summary>Process id of the shell, null where nobody watches: elsewhere than on Linux, or without /bin/sh.</summary>
    public int? ProcessId => _shell?.Id;

    /// <summary>Starts watching; before the command is started, so that there is no moment without supervision.</summary>
    /// <param name="mark">A text that only processes of the command's tree have in their environment, ten characters or more.</param>
    /// <param name="files">Files of the recorder that are to be removed when it is gone: sockets, reserves.</param>
    public static Supervisor Start(string mark, IReadOnlyList<string> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        ArgumentException.ThrowIfNullOrWhiteSpace(mark);
        ArgumentOutOfRangeException.ThrowIfLessThan(mark.Length, 10, nameof(mark));
        if (!OperatingSystem.IsLinux())
            return new Supervisor(null);
        try
        {
            // The shell's own environment and command line are free of the mark: grep reads the former.
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

    /// <summary>Tells the shell that the command has ended in order.</summary>
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
            // It was ended from outside, or ends later.
        }

        _shell.Dispose();
    }
}
