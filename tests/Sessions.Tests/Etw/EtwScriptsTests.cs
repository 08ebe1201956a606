using System.Text;
using EtwSerializerProfiler.Sessions.Etw.Scripts;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>
/// The scripts in scripts/ are up to date with the steps; a simulation of cmd.exe executes the same steps from them, and the undo when one
/// fails.
/// </summary>
public sealed class EtwScriptsTests
{
    private static string Folder => Path.Combine(TestFiles.Root, "scripts");

    public static TheoryData<string, string, string> All =>
        [
            .. EtwScripts.Tools.SelectMany(tool =>
                EtwScripts.Presets.SelectMany(preset =>
                    ((string[])["file", "memory"]).Select(mode => (EtwTools.NameOf(tool), preset.Name, mode))
                )
            ),
        ];

    [Fact]
    public void The_files_of_the_repository_are_those_that_the_steps_make()
    {
        using var folder = new TempFolder();
        foreach (var path in EtwScripts.Write(folder.Path, EtwScripts.DefaultMemory))
            Assert.Equal(File.ReadAllText(Path.Combine(Folder, Path.GetRelativePath(folder.Path, path))), File.ReadAllText(path));
        Assert.Equal(
            EtwScripts.Create(EtwScripts.DefaultMemory).Count,
            Directory.GetFiles(Folder, "*.cmd", SearchOption.AllDirectories).Length
        );
    }

    /// <summary>
    /// cmd.exe loses labels in files without \r\n, cuts lines at 8,191 characters, and reads other characters by the console's code page.
    /// </summary>
    [Fact]
    public void They_are_text_as_cmd_exe_reads_it()
    {
        foreach (var script in EtwScripts.Create(EtwScripts.DefaultMemory))
        {
            Assert.EndsWith("\r\n", script.Text, StringComparison.Ordinal);
            Assert.Equal(script.Text.Count(character => character == '\n'), script.Text.Split("\r\n").Length - 1);
            Assert.True(Ascii.IsValid(script.Text), script.Path);
            Assert.All(script.Text.Split("\r\n"), line => Assert.InRange(line.Length, 0, 8000));
        }
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Start_and_stop_carry_out_the_steps(string tool, string preset, string mode)
    {
        var steps = Steps(tool, preset, mode);
        var cmd = new CmdSimulator(Path.Combine(Folder, tool), _ => 0).With("OUT", "C:\\rec");

        Assert.Equal(0, cmd.Call("start.cmd", preset, mode));
        Assert.Equal(
            Commands(
                steps
                    .Steps.TakeWhile(step => step.Kind != EtwStepKind.Run)
                    .Where(step => step.Kind is not (EtwStepKind.Sessions or EtwStepKind.Verify))
            ),
            ToolsOf(cmd)
        );

        cmd.Commands.Clear();
        Assert.Equal(0, cmd.Call("stop.cmd", preset, mode));
        Assert.Equal(Commands(steps.Steps.SkipWhile(step => step.Kind != EtwStepKind.Run).Skip(1)), ToolsOf(cmd));
        Assert.Contains("timeout /t 15 /nobreak >nul", cmd.Commands);
        Assert.Contains("Written: \"C:\\rec\\merged.etl\"", cmd.Output);
    }

    [Theory]
    [MemberData(nameof(All))]
    public void A_start_that_fails_is_taken_back(string tool, string preset, string mode)
    {
        var starting = Steps(tool, preset, mode)
            .Steps.TakeWhile(step => step.Kind != EtwStepKind.Run)
            .Where(step => step.Command is not null && step.Kind is not (EtwStepKind.Sessions or EtwStepKind.Verify))
            .ToList();
        for (var failing = 0; failing < starting.Count; failing++)
        {
            var left = failing + 1;
            var cmd = new CmdSimulator(Path.Combine(Folder, tool), command => IsTool(command) && --left == 0 ? 1 : 0).With(
                "OUT",
                "C:\\rec"
            );

            Assert.Equal(1, cmd.Call("start.cmd", preset, mode));
            Assert.Equal(
                [
                    .. Commands(starting.Take(failing + 1)),
                    .. Enumerable.Reverse(starting.Take(failing).ToList()).SelectMany(step => step.Undo).Select(Text),
                ],
                ToolsOf(cmd)
            );
        }
    }

    [Theory]
    [InlineData("xperf")]
    [InlineData("tracelog")]
    public void A_stop_continues_after_a_failure_and_says_so(string tool)
    {
        var steps = Steps(tool, "runs", "file").Steps.SkipWhile(step => step.Kind != EtwStepKind.Run).Skip(1).ToList();
        var cmd = new CmdSimulator(
            Path.Combine(Folder, tool),
            command => command.Contains("esp-clr", StringComparison.Ordinal) ? 5 : 0
        ).With("OUT", "C:\\rec");

        Assert.Equal(1, cmd.Call("stop.cmd"));
        Assert.Equal(Commands(steps), ToolsOf(cmd));
        Assert.DoesNotContain(cmd.Output, line => line.StartsWith("Written", StringComparison.Ordinal));
    }

    /// <summary>One command flushes all sessions, which keep running.</summary>
    [Theory]
    [InlineData("xperf")]
    [InlineData("tracelog")]
    public void Flush_writes_all_sessions_by_one_command_and_stops_none_of_them(string tool)
    {
        var cmd = new CmdSimulator(Path.Combine(Folder, tool), _ => 0).With("OUT", "C:\\rec");

        Assert.Equal(0, cmd.Call("flush.cmd", "allocation", "memory"));
        var commands = ToolsOf(cmd);
        var kernel = tool == "xperf" ? "\"NT Kernel Logger\"" : "esp-kernel";
        Assert.Equal(
            $"xperf -flush esp-clr -f \"C:\\rec\\clr.etl\" -flush esp-code -f \"C:\\rec\\code.etl\" -flush esp-alloc -f \"C:\\rec\\alloc.etl\" -flush {kernel} -f \"C:\\rec\\kernel.etl\"",
            commands[0]
        );
        Assert.DoesNotContain(commands, command => command.Contains("-stop esp-clr", StringComparison.Ordinal));
        Assert.Contains(commands, command => command.Contains("-merge", StringComparison.Ordinal));

        Assert.Equal(2, cmd.Call("flush.cmd", "allocation", "file"));
    }

    [Theory]
    [InlineData("start.cmd", "all", "file", "PRESET is 'all'")]
    [InlineData("stop.cmd", "runs", "ring", "MODE is 'ring'")]
    public void A_wrong_parameter_is_named_and_nothing_is_started(string script, string preset, string mode, string message)
    {
        var cmd = new CmdSimulator(Path.Combine(Folder, "xperf"), _ => 0);

        Assert.Equal(2, cmd.Call(script, preset, mode));
        Assert.Empty(ToolsOf(cmd));
        Assert.Contains(cmd.Output, line => line.StartsWith(message, StringComparison.Ordinal));
    }

    [Fact]
    public void Without_rights_or_tools_nothing_is_started()
    {
        var notElevated = new CmdSimulator(
            Path.Combine(Folder, "xperf"),
            command => command.StartsWith("fltmc", StringComparison.Ordinal) ? 1 : 0
        );
        Assert.Equal(4, notElevated.Call("start.cmd"));
        Assert.Empty(ToolsOf(notElevated));

        var missing = new CmdSimulator(
            Path.Combine(Folder, "tracelog"),
            command => command.StartsWith("where tracelog", StringComparison.Ordinal) ? 1 : 0
        );
        Assert.Equal(3, missing.Call("start.cmd"));
        Assert.Empty(ToolsOf(missing));
    }

    [Fact]
    public void Parameters_set_before_are_kept_and_a_whole_recording_starts_and_stops()
    {
        var cmd = new CmdSimulator(Path.Combine(Folder, "xperf"), _ => 0)
            .With("OUT", "D:\\big")
            .With("KERNEL_MAX_BUFFERS", "2000")
            .With("RUNDOWN_SECONDS", "40")
            .With("PRESET", "exceptions");

        Assert.Equal(0, cmd.Call("record.cmd"));
        Assert.Contains("mkdir \"D:\\big\"", cmd.Commands);
        Assert.Contains(
            cmd.Commands,
            command =>
                command.StartsWith("xperf -on PROC_THREAD+LOADER ", StringComparison.Ordinal)
                && command.EndsWith("-MaxBuffers 2000", StringComparison.Ordinal)
        );
        Assert.Contains("timeout /t 40 /nobreak >nul", cmd.Commands);
        Assert.True(
            cmd.Commands.FindIndex(command => command.Contains("-start esp-clr", StringComparison.Ordinal)) < cmd.Commands.IndexOf("pause")
        );
        Assert.True(
            cmd.Commands.IndexOf("pause") < cmd.Commands.FindIndex(command => command.Contains("-stop esp-clr", StringComparison.Ordinal))
        );
    }

    /// <summary>
    /// The elevated window does not start the program itself: Explorer does, and the script waits for the file that its end leaves.
    /// </summary>
    [Theory]
    [InlineData("xperf")]
    [InlineData("tracelog")]
    public void A_whole_recording_runs_the_program_without_administrators_rights(string tool)
    {
        var waited = 0;
        CmdSimulator? cmd = null;
        cmd = new CmdSimulator(
            Path.Combine(Folder, tool),
            command =>
            {
                if (command.StartsWith("timeout /t 1 ", StringComparison.Ordinal) && ++waited == 3)
                    cmd!.Files["D:\\my rec\\program.done"] = "7\n";
                return 0;
            }
        ).With("OUT", "D:\\my rec");
        cmd.Files["D:\\my rec\\program.done"] = "of the recording before\n";

        Assert.Equal(0, cmd.Call("record.cmd", "runs", "memory", "\"C:\\Program Files\\app.exe\"", "-n", "1000,10000", "\"a b\""));

        Assert.Equal(
            "@cd /d \"C:\\work\"\n@call \"C:\\Program Files\\app.exe\" -n 1000,10000 \"a b\"\n@>\"D:\\my rec\\program.done\" echo %ERRORLEVEL%\n",
            cmd.Files["D:\\my rec\\program.cmd"]
        );
        var run = cmd.Commands.IndexOf("explorer \"D:\\my rec\\program.cmd\"");
        Assert.True(run > cmd.Commands.FindLastIndex(command => command.Contains("-start esp-clr", StringComparison.Ordinal)));
        Assert.True(run < cmd.Commands.FindIndex(command => command.Contains("-merge", StringComparison.Ordinal)));
        Assert.Contains("The program ended with exit code 7.", cmd.Output);
        Assert.DoesNotContain("pause", cmd.Commands);
        Assert.Equal(3, waited);
    }

    private static EtwSteps Steps(string tool, string preset, string mode)
    {
        Assert.True(EtwTools.TryParse(tool, out var known));
        return EtwScripts.Steps(
            known,
            EtwScripts.Presets.Single(item => item.Name == preset).Purpose,
            mode == "file" ? RecordingMode.File : EtwScripts.DefaultMemory
        );
    }

    private static List<string> Commands(IEnumerable<EtwStep> steps) =>
        [.. steps.Where(step => step.Command is not null && step.Kind != EtwStepKind.Run).Select(step => Text(step.Command!))];

    private static string Text(EtwCommand command) => command.ToString().Replace(EtwScripts.Out, "C:\\rec", StringComparison.Ordinal);

    private static List<string> ToolsOf(CmdSimulator cmd) => [.. cmd.Commands.Where(IsTool)];

    private static bool IsTool(string command) =>
        command.StartsWith("xperf ", StringComparison.Ordinal)
        || command.StartsWith("tracelog ", StringComparison.Ordinal)
        || command.StartsWith("wpr ", StringComparison.Ordinal);
}
