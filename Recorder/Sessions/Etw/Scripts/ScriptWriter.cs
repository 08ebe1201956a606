using System.Globalization;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Scripts;

/// <summary>Writes the scripts of one tool.</summary>
/// <remarks>
/// Each script calls parameters.cmd and jumps to the part for its preset and mode. When a start step fails, the script jumps to a label
/// from which it undoes the earlier steps in reverse order: the labels are in this order, so each falls through to the next.
/// </remarks>
internal sealed class ScriptWriter(EtwTool tool, IReadOnlyList<ScriptVariant> variants)
{
    private const string KernelBuffers = "KERNEL_MAX_BUFFERS";
    private const string UserBuffers = "USER_MAX_BUFFERS";
    private const string RundownSeconds = "RUNDOWN_SECONDS";

    /// <summary>Exit codes as those of esp-record: wrong usage, not permitted.</summary>
    private const int Usage = 2;
    private const int NotPermitted = 4;

    /// <summary>Options of both tools that precede the maximum number of buffers.</summary>
    private static readonly string[] s_maxBuffers = ["-MaxBuffers", "-max"];

    private static readonly EtwStepKind[] s_starting =
    [
        EtwStepKind.SampleInterval,
        EtwStepKind.StartUser,
        EtwStepKind.EnableProvider,
        EtwStepKind.StartKernel,
    ];
    private static readonly EtwStepKind[] s_flushing = [EtwStepKind.Flush];
    private static readonly EtwStepKind[] s_stopping = [EtwStepKind.Flush, EtwStepKind.Stop, EtwStepKind.ResetInterval];
    private static readonly EtwStepKind[] s_finishing =
    [
        EtwStepKind.StartRundown,
        EtwStepKind.EnableProvider,
        EtwStepKind.WaitRundown,
        EtwStepKind.StopRundown,
        EtwStepKind.Merge,
    ];

    /// <summary>The end of stop.cmd and flush.cmd. A path with an ampersand needs the quotes, also after echo.</summary>
    private static readonly string[] s_done =
    [
        "",
        ":done",
        "if \"%FAILED%\"==\"0\" echo Written: \"%OUT%\\merged.etl\"",
        "exit /b %FAILED%",
    ];

    private readonly string _tool = EtwTools.NameOf(tool);

    public IEnumerable<ScriptFile> All() =>
        [File("parameters", Parameters()), File("start", Start()), File("stop", Stop()), File("flush", Flush()), File("record", Record())];

    private ScriptFile File(string name, IEnumerable<string> lines) =>
        new(
            Path.Combine(_tool, name + ".cmd"),
            string.Concat(
                (
                    (string[])
                        [
                            "@echo off",
                            "rem Written by 'esp-record scripts'. Change the plans in the sources, not this file. Untested on Windows.",
                            .. lines,
                        ]
                ).Select(line => line + "\r\n")
            )
        );

    private List<string> Parameters()
    {
        var plan = variants[0].Steps.Plan;
        var programs = variants.SelectMany(variant => variant.Steps.Programs).Distinct().Order(StringComparer.Ordinal);
        var missing = variants
            .SelectMany(variant => variant.Steps.NotPossible.Select(sentence => (sentence, Place: $"{variant.Preset} {variant.Mode}")))
            .GroupBy(pair => pair.sentence, pair => pair.Place);
        return
        [
            $"rem Parameters of all scripts in this folder. Change them here, or set them before you call a script. Needs {string.Join(", ", programs)} on the path (Windows Performance Toolkit, Windows SDK).",
            "",
            "rem Folder of the recording.",
            "if not defined OUT set \"OUT=%~dp0recording\"",
            $"rem What to record: {string.Join(", ", variants.Select(variant => variant.Preset).Distinct())}. The first argument of a script.",
            "if not defined PRESET set \"PRESET=runs\"",
            "if not \"%~1\"==\"\" set \"PRESET=%~1\"",
            $"rem {ScriptVariant.File}: all events go to files. {ScriptVariant.Memory}: the newest {variants[1].Steps.Plan.Mode.CircularBytes >> 20} MB stay in memory; flush.cmd and stop.cmd write them. The second argument.",
            $"if not defined MODE set \"MODE={ScriptVariant.File}\"",
            "if not \"%~2\"==\"\" set \"MODE=%~2\"",
            string.Create(
                CultureInfo.InvariantCulture,
                $"rem Maximum buffers of {plan.Kernel.Buffers.SizeKB} KB for the kernel session and for each user session in mode {ScriptVariant.File}; they use non-paged memory."
            ),
            string.Create(
                CultureInfo.InvariantCulture,
                $"if not defined {KernelBuffers} set \"{KernelBuffers}={plan.Kernel.Buffers.Maximum}\""
            ),
            string.Create(
                CultureInfo.InvariantCulture,
                $"if not defined {UserBuffers} set \"{UserBuffers}={plan.UserSessions[0].Buffers.Maximum}\""
            ),
            "rem Seconds at the end in which running programs may write the names of their methods.",
            string.Create(
                CultureInfo.InvariantCulture,
                $"if not defined {RundownSeconds} set \"{RundownSeconds}={plan.Rundown?.Wait.TotalSeconds ?? 0:0}\""
            ),
            "",
            .. missing.SelectMany(group => (string[])[$"rem {Capital(group.Key)}.", $"rem   ({string.Join("; ", group)})"]),
            .. missing.Any() ? [""] : (string[])[],
            $"for %%P in ({string.Join(' ', variants.Select(variant => variant.Preset).Distinct())}) do if /i \"%PRESET%\"==\"%%P\" goto preset_known",
            "echo PRESET is '%PRESET%': parameters.cmd lists the possible values.",
            $"exit /b {Usage}",
            ":preset_known",
            $"if /i \"%MODE%\"==\"{ScriptVariant.File}\" exit /b 0",
            $"if /i \"%MODE%\"==\"{ScriptVariant.Memory}\" exit /b 0",
            $"echo MODE is '%MODE%': it must be {ScriptVariant.File} or {ScriptVariant.Memory}.",
            $"exit /b {Usage}",
        ];
    }

    private List<string> Start()
    {
        var lines = Head(
            "start",
            "Starts the sessions of a recording",
            "then run the program in an ordinary window, and stop.cmd with the same arguments in this one"
        );
        lines.AddRange(["if not exist \"%OUT%\" mkdir \"%OUT%\"", "if errorlevel 1 exit /b 1", "goto start_%PRESET%_%MODE%"]);
        foreach (var variant in variants)
        {
            lines.AddRange(["", $":start_{variant.Label}"]);
            var undo = new List<EtwCommand[]>();
            var used = 0;
            foreach (
                var step in variant
                    .Steps.Steps.TakeWhile(step => step.Kind != EtwStepKind.Run)
                    .Where(step => s_starting.Contains(step.Kind))
            )
            {
                lines.AddRange([
                    $"echo {Echo(step.Title)}",
                    $"{Text(step.Command!, step, variant)}",
                    $"if errorlevel 1 goto undo_{variant.Label}_{undo.Count}",
                ]);
                used = undo.Count;
                if (step.Undo.Count > 0)
                    undo.Add([.. step.Undo]);
            }

            lines.AddRange(["echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.", "exit /b 0"]);
            for (var i = used; i > 0; i--)
                lines.AddRange([$":undo_{variant.Label}_{i}", .. undo[i - 1].Select(command => command.ToString())]);
            lines.AddRange([$":undo_{variant.Label}_0", "echo The start failed. All started sessions were stopped.", "exit /b 1"]);
        }

        return lines;
    }

    private List<string> Stop()
    {
        var lines = Head(
            "stop",
            "Stops the sessions that start.cmd started with the same arguments, and writes merged.etl",
            "continues after a failed step, so that no session is left running"
        );
        lines.AddRange(["set FAILED=0", "goto stop_%PRESET%_%MODE%"]);
        foreach (var variant in variants)
        {
            lines.AddRange(["", $":stop_{variant.Label}"]);
            AddSteps(lines, variant, s_stopping);
            AddSteps(lines, variant, s_finishing);
            lines.Add("goto done");
        }

        lines.AddRange(s_done);
        return lines;
    }

    private List<string> Flush()
    {
        var lines = Head("flush", "Writes the events in memory to merged.etl; the sessions continue", $"mode {ScriptVariant.Memory} only");
        lines.AddRange([
            $"if /i not \"%MODE%\"==\"{ScriptVariant.Memory}\" echo Mode {ScriptVariant.File} has nothing to flush; start.cmd PRESET {ScriptVariant.Memory} keeps the newest events in memory.",
            $"if /i not \"%MODE%\"==\"{ScriptVariant.Memory}\" exit /b {Usage}",
            "set FAILED=0",
            "goto flush_%PRESET%",
        ]);
        foreach (var variant in variants.Where(variant => variant.Mode == ScriptVariant.Memory))
        {
            lines.AddRange(["", $":flush_{variant.Preset}"]);
            AddSteps(lines, variant, s_flushing);
            AddSteps(lines, variant, s_finishing);
            lines.Add("goto done");
        }

        lines.AddRange(s_done);
        return lines;
    }

    /// <summary>
    /// The program must run with the rights of the desktop's user, but an elevated window starts elevated programs. So Explorer opens a
    /// script that runs the program and writes its exit code to a file, for which this script waits.
    /// </summary>
    private List<string> Record()
    {
        var lines = Head(
            "record",
            "Makes a complete recording: starts, runs the program without administrator rights, stops",
            "without PROGRAM it waits until you have run it",
            " [PROGRAM ARGUMENTS]"
        );
        lines.AddRange([
            "set \"PROGRAM=\"",
            "rem Take all arguments from the third unchanged: %3 and so on would end at each comma.",
            "set ALL_ARGUMENTS=%*",
            "if not defined ALL_ARGUMENTS goto arguments_read",
            "setlocal EnableDelayedExpansion",
            "for /f \"tokens=1,2*\" %%A in (\"!ALL_ARGUMENTS!\") do endlocal& set PROGRAM=%%C",
            ":arguments_read",
            "call \"%~dp0start.cmd\" %PRESET% %MODE%",
            "if errorlevel 1 exit /b 1",
            "if defined PROGRAM goto run_program",
            "echo Now run the program in an ordinary window. In this window it would have administrator rights.",
            "pause",
            "goto stop_all",
            "",
            ":run_program",
            "if exist \"%OUT%\\program.done\" del \"%OUT%\\program.done\"",
            ">\"%OUT%\\program.cmd\" echo @cd /d \"%CD%\"",
            ">>\"%OUT%\\program.cmd\" echo @call %PROGRAM%",
            ">>\"%OUT%\\program.cmd\" echo @^>\"%OUT%\\program.done\" echo %%ERRORLEVEL%%",
            "explorer \"%OUT%\\program.cmd\"",
            "echo The program runs in a separate window with the variables of the desktop. If you close that window, press Ctrl+C here, then run stop.cmd %PRESET% %MODE%.",
            ":wait_program",
            "timeout /t 1 /nobreak >nul",
            "if not exist \"%OUT%\\program.done\" goto wait_program",
            "set /p PROGRAM_EXIT=<\"%OUT%\\program.done\"",
            "echo The program ended with exit code %PROGRAM_EXIT%.",
            "",
            ":stop_all",
            "call \"%~dp0stop.cmd\" %PRESET% %MODE%",
            "exit /b %ERRORLEVEL%",
        ]);
        return lines;
    }

    private List<string> Head(string name, string purpose, string note, string more = "") =>
        [
            $"rem {purpose} ({note}).",
            $"rem   {name}.cmd [PRESET] [MODE]{more}     parameters.cmd lists the values",
            "setlocal",
            "call \"%~dp0parameters.cmd\" %*",
            $"if errorlevel 1 exit /b {Usage}",
            "fltmc >nul 2>&1",
            "if errorlevel 1 echo This script needs administrator rights: call it from an elevated command prompt.& exit /b "
                + NotPermitted.ToString(CultureInfo.InvariantCulture),
            .. tool == EtwTool.Tracelog
                ? ScriptFile.Needs("tracelog", "find it in the bin folder of the Windows SDK or WDK")
                : (string[])[],
            .. ScriptFile.Needs("xperf", "install the Windows Performance Toolkit"),
        ];

    /// <summary>Adds steps of some kinds for the end of the recording; each runs even if the one before failed.</summary>
    private static void AddSteps(List<string> lines, ScriptVariant variant, EtwStepKind[] kinds)
    {
        foreach (var step in variant.Steps.Steps.SkipWhile(step => step.Kind != EtwStepKind.Run).Where(step => kinds.Contains(step.Kind)))
        {
            if (step.Kind == EtwStepKind.WaitRundown)
            {
                lines.Add($"echo wait %{RundownSeconds}% s for the rundown");
                lines.Add($"timeout /t %{RundownSeconds}% /nobreak >nul");
                continue;
            }

            lines.AddRange([$"echo {Echo(step.Title)}", Text(step.Command!, step, variant), "if errorlevel 1 set FAILED=1"]);
        }
    }

    /// <summary>The command, with the maximum buffers of mode "file" as parameters.</summary>
    private static string Text(EtwCommand command, EtwStep step, ScriptVariant variant)
    {
        if (variant.Mode == ScriptVariant.Memory || step.Kind is not (EtwStepKind.StartUser or EtwStepKind.StartKernel))
            return command.ToString();
        var parameter = $"%{(step.Kind == EtwStepKind.StartKernel ? KernelBuffers : UserBuffers)}%";
        var arguments = command.Arguments.ToArray();
        for (var i = 1; i < arguments.Length; i++)
        {
            if (s_maxBuffers.Contains(arguments[i - 1], StringComparer.Ordinal))
                arguments[i] = parameter;
        }

        return string.Join(
            ' ',
            [command.Program, .. arguments.Select(argument => argument == parameter ? argument : CmdText.Quote(argument))]
        );
    }

    /// <summary>Escapes characters that have a meaning for echo.</summary>
    private static string Echo(string text) =>
        string.Concat(
                text.Select(character => "&|<>^".Contains(character, StringComparison.Ordinal) ? $"^{character}" : character.ToString())
            )
            .Replace("%", "%%", StringComparison.Ordinal);

    private static string Capital(string text) => char.ToUpperInvariant(text[0]) + text[1..].Replace("%", "%%", StringComparison.Ordinal);
}
