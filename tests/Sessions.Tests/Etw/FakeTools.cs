namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>
/// Shell scripts named xperf, tracelog and wpr in front of PATH: they log their arguments, remember which sessions were started, list them
/// in the documented form, write the requested files, and fail on demand. Tests that use it run one after the other (<see cref="Name"/>):
/// PATH is the process's.
/// </summary>
public sealed class FakeTools : IDisposable
{
    /// <summary>Collection of the tests that use it.</summary>
    public const string Name = "Fake tools on PATH";

    private const string Script = """
        #!/bin/sh
        tool=$(basename "$0")
        home=$(dirname "$0")
        echo "$tool $*" >> "$home/log"
        if [ -f "$home/fail" ]; then
          while IFS='|' read -r pattern code text; do
            case "$tool $*" in *$pattern*) echo "$text"; exit "$code";; esac
          done < "$home/fail"
        fi
        if [ -f "$home/hang" ]; then
          pattern=$(cat "$home/hang")
          case "$tool $*" in *$pattern*) touch "$home/hanging"; exec sleep 60;; esac
        fi
        if [ "$1" = -loggers ] || [ "$1" = -l ]; then
          touch "$home/sessions"
          while IFS= read -r name; do
            printf 'Logger Name           : %s\nLogger Id             : 17\nEvents Lost           : 0\nLog Filename          : %s\n\n' "$name" ""
          done < "$home/sessions"
          exit 0
        fi
        last=""; session="NT Kernel Logger"; starts=no; merge=no
        for argument in "$@"; do
          case "$last" in
            -start) session="$argument"; starts=yes;;
            -stop) grep -v -x -F -- "$argument" "$home/sessions" > "$home/sessions.new"; mv "$home/sessions.new" "$home/sessions";;
            -f) : > "$argument";;
          esac
          case "$argument" in -on) starts=yes;; -merge) merge=yes;; esac
          last="$argument"
        done
        if [ $starts = yes ] && ! [ -f "$home/forget" ]; then echo "$session" >> "$home/sessions"; fi
        if [ $merge = yes ]; then
          for file in "$@"; do
            case "$file" in *.etl) [ "$file" = "$last" ] || [ -f "$file" ] || { echo "no $file"; exit 2; };; esac
          done
          cp "$home/merged.etl" "$last"
        fi
        exit 0

        """;

    private readonly string? _path = Environment.GetEnvironmentVariable("PATH");
    private readonly TempFolder _folder = new();

    public FakeTools()
    {
        foreach (var tool in new[] { "xperf", "tracelog", "wpr" })
        {
            var file = _folder.Write(tool, Script.ReplaceLineEndings("\n"));
            if (!OperatingSystem.IsWindows())
                File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        using (var trace = new SyntheticEtl(Path.Combine(_folder.Path, "merged.etl")))
        {
            trace.Process(100, "app.exe");
            trace.Run(100, 1, 2, 1, "Newtonsoft.Json", 1000, 5000, 0);
            trace.Clr(6000, 100, 1, 1, 0, new byte[8]);
        }

        Environment.SetEnvironmentVariable("PATH", _folder.Path + Path.PathSeparator + _path);
    }

    /// <summary>Commands in the order in which they were run, with the recording's folder as <c>OUT</c>.</summary>
    public IReadOnlyList<string> Log(string folder) =>
        File.Exists(Path.Combine(_folder.Path, "log"))
            ?
            [
                .. File.ReadAllLines(Path.Combine(_folder.Path, "log"))
                    .Select(line => line.Replace(folder, "OUT", StringComparison.Ordinal)),
            ]
            : [];

    /// <summary>Sessions that run.</summary>
    public IReadOnlyList<string> Sessions =>
        File.Exists(Path.Combine(_folder.Path, "sessions")) ? File.ReadAllLines(Path.Combine(_folder.Path, "sessions")) : [];

    /// <summary>Whether a command hangs (<see cref="HangAt"/>).</summary>
    public bool IsHanging => File.Exists(Path.Combine(_folder.Path, "hanging"));

    /// <summary>Commands that contain a text fail.</summary>
    public void FailAt(string text, int exitCode, string output) =>
        File.AppendAllText(Path.Combine(_folder.Path, "fail"), $"{text}|{exitCode}|{output}\n");

    /// <summary>Commands that contain a text take a minute.</summary>
    public void HangAt(string text) => _folder.Write("hang", text);

    /// <summary>From now on starting a session succeeds, but the session does not exist.</summary>
    public void ForgetSessions() => _folder.Write("forget", "");

    /// <summary>Adds a running session of another owner.</summary>
    public void Run(string session) => File.AppendAllText(Path.Combine(_folder.Path, "sessions"), session + "\n");

    /// <summary>Removes the tools.</summary>
    public void Remove(string tool)
    {
        File.Delete(Path.Combine(_folder.Path, tool));
    }

    public void Dispose()
    {
        Environment.SetEnvironmentVariable("PATH", _path);
        _folder.Dispose();
    }
}
