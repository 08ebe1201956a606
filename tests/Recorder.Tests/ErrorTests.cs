using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Every error of esp-record is printed as three lines: what, where, fix.</summary>
public sealed partial class ErrorTests
{
    [Theory]
    [InlineData(2, "--no-such-option", "unknown option '--no-such-option'", "'esp-record record --help'")]
    [InlineData(2, "--fromat csv", "unknown option '--fromat'", "write --format")]
    [InlineData(2, "--serialiser X", "unknown option '--serialiser'", "-serializer")]
    [InlineData(2, "lsit", "'lsit' is not a command", "write list")]
    [InlineData(2, "-runs 0", "'0' is not valid for -runs", "from 1 to 10,000")]
    [InlineData(2, "-n", "-n needs a value", "-n counts")]
    [InlineData(2, "-test sing", "'sing' is not valid", "serialize, deserialize")]
    [InlineData(2, "-n 1000000 -payload 1000000", "are too large", "at most")]
    [InlineData(2, "-scenario none", "'none' is not valid", "contention")]
    [InlineData(2, "-seconds 3", "-seconds", "leave it out")]
    [InlineData(2, "--sessions kernel", "unknown session 'kernel'", "clr, code, perf")]
    [InlineData(2, "--sessions xperf,clr", "'xperf' cannot be combined with other sessions", "alone")]
    [InlineData(2, "--redact (", "'(' is not a regular expression", "--redact '")]
    [InlineData(2, "--sessions xperf --redact x", "--redact does not apply to ETW sessions", "leave out --redact")]
    [InlineData(2, "--preset runs", "--preset applies to ETW sessions", "--sessions xperf")]
    [InlineData(2, "--sample-rate 0", "the sample rate 0", "1 to 100000")]
    [InlineData(2, "--sample-rate many", "'many' is not a valid value", "--sample-rate HZ")]
    [InlineData(2, "--stack-dump 9", "9 bytes", "multiple of 8")]
    [InlineData(2, "--format yaml", "'yaml'", "table, csv, json, markdown")]
    [InlineData(2, "--alloc some", "'some'", "sampled")]
    [InlineData(2, "--mode x", "'x' is not a mode", "circular:")]
    [InlineData(2, "--trigger-file x", "circular:SIZE", "add --mode")]
    [InlineData(2, "--dump-limit 3", "--dump-limit applies to dumps", "--dump-on")]
    [InlineData(2, "--dump-on X --dump-time long", "'long'", "--dump-time SECONDS")]
    [InlineData(2, "--runtime net1.1", "unknown runtime 'net1.1'", "did you mean net")]
    [InlineData(2, "-n 10 -- dotnet --version", "after --", "leave out")]
    [InlineData(2, "list -- dotnet", "'list' takes no command", "esp-record -- COMMAND")]
    [InlineData(2, "attach 0", "1 or more", "esp-record ps")]
    [InlineData(2, "attach abc", "'abc' is not a valid value of PID", "write PID")]
    [InlineData(2, "attach 1 --duration soon", "'soon' is not a duration", "dd:hh:mm:ss")]
    [InlineData(4, "attach 4194303", "process 4194303 does not exist", "esp-record ps")]
    [InlineData(4, "--sessions clr -- /no/such/program", "cannot start '/no/such/program'", "dotnet app.dll")]
    [InlineData(4, "--sessions clr -- dotnet nosuch.dll", "the assembly 'nosuch.dll' does not exist", "build it first")]
    [InlineData(
        4,
        "-- dotnet exec --roll-forward Major bin/nosuch.dll x.dll",
        "the assembly 'bin/nosuch.dll' does not exist",
        "build it first"
    )]
    [InlineData(2, "--sessions clr --out /proc/none -- dotnet --version", "cannot be written", "--out")]
    [InlineData(4, "profiles --out /proc/none", "cannot be written", "--out")]
    [InlineData(4, "scripts --out /proc/none", "cannot be written", "--out")]
    [InlineData(2, "scripts --memory much", "much", "256MB")]
    [InlineData(4, "sessions", "Windows only", "--from FILE")]
    [InlineData(4, "sessions --from /no/such/file", "/no/such/file", "exist")]
    [InlineData(2, "stop --from x", "sessions from a listing cannot be stopped", "--dry-run")]
    [InlineData(4, "--sessions xperf -- dotnet --version", "Windows only", "--dry-run")]
    public async Task Errors_have_three_lines(int code, string line, string what, string fix)
    {
        Assert.SkipWhen(
            OperatingSystem.IsWindows()
                && (line.Contains("/proc", StringComparison.Ordinal) || what.Contains("Windows", StringComparison.Ordinal)),
            "is of other systems"
        );
        using var folder = new TempFolder(); // recordings/ would be made in the folder it runs in
        var result = line.Contains(" -- ", StringComparison.Ordinal)
            ? await Tool.RecordInAsync(folder.Path, line.Split(' '))
            : await Tool.RecordHereAsync(line.Split(' '));

        Assert.Equal((code, ""), (result.ExitCode, result.Output));
        var problem = ErrorLines.Check("esp-record", result.Error);
        Assert.Contains(what, problem.What, StringComparison.Ordinal);
        Assert.Contains(fix, problem.Fix, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-serializer #Jil", "can run here: Jil: ")] // its package is not there, or it fails on .NET 10
    [InlineData("--runtime net10.0 -serializer #Jil", "can run here: Jil: ")]
    [InlineData("-serializer Nobody,Jil", "'Nobody' matches no serializer; choose from ")]
    [InlineData("-plugin no.dll", "no.dll: the file does not exist")]
    public async Task What_the_suite_cannot_run_is_said_before_anything_is_recorded(string line, string what)
    {
        using var folder = new TempFolder();

        var result = await Tool.RecordInAsync(folder.Path, line.Split(' '));

        Assert.Equal((2, ""), (result.ExitCode, result.Output));
        var problem = ErrorLines.Check("esp-record", result.Error);
        Assert.Contains(what, problem.What, StringComparison.Ordinal);
        Assert.Equal("net10.0", problem.Where);
        Assert.Contains("esp-record list", problem.Fix, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));
    }

    [Theory]
    [InlineData("MyAp.dll", "bin/Release/MyApp.dll")]
    [InlineData("Toll.dll", "Tool.dll")]
    public async Task A_missing_assembly_is_refused_with_the_near_name_before_anything_is_made(string typed, string near)
    {
        using var folder = new TempFolder();
        Directory.CreateDirectory(Path.Combine(folder.Path, "bin", "Release"));
        foreach (var file in (string[])["Tool.dll", "bin/Release/MyApp.dll"])
            folder.Write(file, "");
        var before = Directory.EnumerateFileSystemEntries(folder.Path, "*", SearchOption.AllDirectories).Count();

        var result = await Tool.RecordInAsync(folder.Path, "--", "dotnet", typed);

        Assert.Equal((4, ""), (result.ExitCode, result.Output));
        Assert.Equal(
            $"write {near.Replace('/', Path.DirectorySeparatorChar)}, if that is meant",
            ErrorLines.Check("esp-record", result.Error).Fix
        );
        Assert.Equal(before, Directory.EnumerateFileSystemEntries(folder.Path, "*", SearchOption.AllDirectories).Count());
    }

    [Fact]
    public async Task A_folder_that_holds_something_is_left_alone()
    {
        using var folder = new TempFolder();
        folder.Write("mine.txt", "x");

        var result = await Tool.RecordAsync("--sessions", "clr", "--out", folder.Path, "--", "dotnet", "--version");

        Assert.Equal(2, result.ExitCode);
        Assert.Equal(
            ("the folder exists and is not empty", folder.Path, "name another folder with --out, or remove it"),
            ErrorLines.Check("esp-record", result.Error)
        );
    }

    [Fact]
    public async Task A_file_is_not_a_folder_for_a_recording()
    {
        using var folder = new TempFolder();
        folder.Write("mine.txt", "x");
        var file = Path.Combine(folder.Path, "mine.txt");

        var result = await Tool.RecordAsync("--sessions", "clr", "--out", file, "--", "dotnet", "--version");

        Assert.Equal(2, result.ExitCode);
        Assert.Equal(
            ("the path is a file, but a recording needs a folder", file, "name a folder with --out; it is created if missing"),
            ErrorLines.Check("esp-record", result.Error)
        );
    }

    /// <summary>The socket of the diagnostic port is created after the folder.</summary>
    [Fact]
    public async Task A_start_that_fails_leaves_the_folder_for_the_next_attempt()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "a path that is too long for a socket");
        using var folder = new TempFolder();
        var (recording, temporary) = (
            Path.Combine(folder.Path, "r"),
            Directory.CreateDirectory(Path.Combine(folder.Path, new string('x', 120))).FullName
        );

        var result = await Tool.RecordWithAsync(
            ("TMPDIR", temporary),
            "--sessions",
            "clr",
            "--no-analyze",
            "--out",
            recording,
            "--",
            Tool.TestProgram,
            "plain"
        );

        Assert.Contains("cannot open a diagnostic port", result.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(recording));
    }

    [Fact]
    public async Task A_variable_that_switches_the_diagnostic_port_off_is_named()
    {
        using var folder = new TempFolder();

        var result = await Tool.RecordWithAsync(
            ("DOTNET_EnableDiagnostics", "0"),
            "--sessions",
            "clr",
            "--out",
            Path.Combine(folder.Path, "r"),
            "--",
            Tool.TestProgram,
            "plain"
        );

        Assert.Equal(4, result.ExitCode);
        Assert.Contains(
            $"no .NET runtime connected: {Tool.TestProgram}: it was started with DOTNET_EnableDiagnostics=0",
            result.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Too_few_open_files_for_the_recorder_itself_are_an_error_that_says_how_many_it_needs()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "ulimit of a shell");

        var result = await Tool.ShellAsync("ulimit -n 64; exec \"$@\"", [], "--dry-run", "--", Tool.TestProgram, "plain");

        Assert.Equal(4, result.ExitCode);
        Assert.Equal(
            [
                "esp-record: error: only 64 open files are permitted, and esp-record needs 160",
                "  where: the limits of this shell ('ulimit -Hn')",
                "  fix: raise the limit: 'ulimit -n 1024'",
            ],
            result.Error.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)
        );
    }

    /// <summary>A limit of file sizes (EFBIG) simulates a full disk (ENOSPC), because it needs no extra disk.</summary>
    [Fact]
    public async Task A_recording_that_could_not_be_written_to_its_end_is_a_failure()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "ulimit of a shell");
        using var folder = new TempFolder();
        var recording = Path.Combine(folder.Path, "r");

        // In blocks of 512 bytes. The limit also applies to the JIT's own memory, unless it maps memory twice; the signal of a limit ends a
        // process that does not ignore it.
        var result = await Tool.ShellAsync(
            "trap '' XFSZ; ulimit -f 640; exec \"$@\"",
            [("DOTNET_EnableWriteXorExecute", "0")],
            "--sessions",
            "clr,code",
            "--no-analyze",
            "--out",
            recording,
            "--",
            Tool.TestProgram,
            "runs",
            "50"
        );

        Assert.Equal(1, result.ExitCode);
        Assert.Contains(
            $"esp-record: error: the recording lost data: one of its files could not be written completely{Environment.NewLine}  where: {recording}{Environment.NewLine}",
            result.Error,
            StringComparison.Ordinal
        );
        Assert.InRange(new FileInfo(Path.Combine(recording, "code.nettrace")).Length, 1, 640 * 512);
        Assert.True(File.Exists(Path.Combine(recording, "recording.json")));
    }

    [Fact]
    public async Task A_folder_that_may_not_be_written()
    {
        Nobody.SkipUnlessPossible();

        var result = await Tool.RecordAsNobodyAsync("--sessions", "clr", "--out", "/root/never", "--", "dotnet", "--version");

        Assert.Equal(2, result.ExitCode);
        var (what, where, fix) = ErrorLines.Check("esp-record", result.Error);
        Assert.StartsWith("it cannot be written: ", what, StringComparison.Ordinal);
        Assert.Equal(("/root/never", "record to another folder with --out"), (where, fix));
    }

    [Trait(TestKind.Trait, TestKind.Records)]
    [Fact]
    public async Task A_program_that_fails_is_named_with_its_exit_code()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "false is a program of Unix");
        using var folder = new TempFolder();
        var recording = Path.Combine(folder.Path, "r");

        var result = await Tool.RecordAsync("--sessions", "clr", "--no-analyze", "--out", recording, "--", "false");

        Assert.Equal(1, result.ExitCode);
        Assert.Contains(
            $"esp-record: error: the recorded program ended with exit code 1{Environment.NewLine}  where: {recording}{Environment.NewLine}  fix: ",
            result.Error,
            StringComparison.Ordinal
        );
    }

    /// <summary>One place prints errors: no other code writes lines that begin with a tool's name, or messages of exceptions.</summary>
    [Fact]
    public void No_command_writes_errors_past_the_writer()
    {
        var found = new List<string>();
        foreach (var folder in (string[])["Recorder/Commands", "Analyzer/Commands"])
        {
            foreach (var file in Directory.GetFiles(Path.Combine(Tool.Sources, folder), "*.cs"))
                found.AddRange(
                    File.ReadAllLines(file)
                        .Where(line => PastTheWriter().IsMatch(line))
                        .Select(line => $"{Path.GetFileName(file)}: {line.Trim()}")
                );
        }

        Assert.Empty(found);
    }

    [GeneratedRegex(
        @"""(esp-record|esp-analyze|error): |[eE]rror\.Write(Line)?(Async)?\([^)]*([mM]essage|[pP]roblem)|Console\.Error\.Write(Line)?(Async)?\(\$?""(?!Report:)|WriteLine(Async)?\([^)]*exception"
    )]
    private static partial Regex PastTheWriter();
}
