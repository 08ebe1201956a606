using System.Globalization;
using EtwSerializerProfiler.Sessions.Etw.Scripts;
using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>
/// Dumps on Windows by procdump of Sysinternals, where no hook can hold a thread: .NET Framework, running processes, ETW sessions. Untested
/// on Windows.
/// </summary>
/// <remarks>
/// Options: learn.microsoft.com/sysinternals/downloads/procdump. -f searches its text, in which * matches anything, in procdump's output
/// for an exception: type and message.
/// </remarks>
public static class ProcdumpPlan
{
    /// <summary>Name of the program.</summary>
    public const string Program = "procdump";

    /// <summary>Path of the script in the scripts' folder.</summary>
    private const string ScriptName = "dump.cmd";

    /// <summary>The command that waits for a trigger; null when procdump has none.</summary>
    /// <param name="plan">The plan with kind and number of dumps.</param>
    /// <param name="trigger">The trigger.</param>
    /// <param name="process">Process id, or name of a program that is running or not started yet.</param>
    /// <param name="folder">Folder of the dumps.</param>
    public static EtwCommand? Command(DumpPlan plan, DumpTrigger trigger, string process, string folder)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(trigger);
        ArgumentNullException.ThrowIfNull(process);
        string[]? condition = trigger switch
        {
            { Exception: { } exception } =>
            [
                .. Count(Math.Min(exception.Number, plan.Limit)),
                "-e",
                "1",
                "-f",
                exception.MessageText.Length > 0 ? $"{exception.TypeName}*{exception.MessageText}" : exception.TypeName,
            ],
            { Kind: DumpTriggerKind.Memory } => [.. Count(1), "-m", Math.Ceiling(trigger.Limit).ToString(CultureInfo.InvariantCulture)],
            _ => null,
        };
        return condition is null
            ? null
            : EtwCommand.Of(
                Program,
                [
                    "-accepteula",
                    Content(plan.Kind),
                    .. condition,
                    .. process.All(char.IsAsciiDigit) ? [process] : (string[])["-w", process],
                    folder,
                ]
            );
    }

    /// <summary>Describes the commands of a plan, a line each; for triggers without a command, the reason.</summary>
    /// <inheritdoc cref="Command"/>
    public static IEnumerable<string> Describe(DumpPlan plan, string process, string folder)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return plan.Triggers.Select(trigger =>
            Command(plan, trigger, process, folder) switch
            {
                null =>
                    $"no dump at {trigger}: {(trigger.Kind == DumpTriggerKind.Hang ? "procdump detects only hanging windows (-h)" : "procdump cannot wait for GC pauses")}",
                var command => $"dump at {trigger}, in a separate window: {command}{Difference(trigger)}",
            }
        );
    }

    /// <summary>The script that takes a dump at an exception.</summary>
    public static ScriptFile Script()
    {
        var command = Command(
            new DumpPlan { Triggers = [] },
            DumpTrigger.TryParse("TEXT", out var trigger, out _) ? trigger! : throw new InvalidOperationException(),
            "0",
            "%OUT%"
        )!;
        var line = string.Join(
                ' ',
                [
                    command.Program,
                    .. command.Arguments.Select(argument =>
                        argument switch
                        {
                            "1" => "1",
                            "TEXT" => "\"%~1\"",
                            "0" => "%WAIT% \"%~2\"",
                            "%OUT%" => "\"%OUT%\"",
                            _ => argument,
                        }
                    ),
                ]
            )
            .Replace("-n 1", "-n %COUNT%", StringComparison.Ordinal);
        string[] lines =
        [
            "@echo off",
            "rem Written by 'esp-record scripts'. Change the plans in the sources, not this file. Untested on Windows.",
            "rem Takes a dump at the throw of an exception whose type or message contains a text, by procdump of Sysinternals.",
            "rem   dump.cmd TEXT PROCESS [COUNT]     PROCESS: a process id, or the name of a program that is running or not started yet (MyApp.exe)",
            "setlocal",
            "if \"%~2\"==\"\" echo dump.cmd TEXT PROCESS [COUNT]& exit /b 2",
            "if not defined OUT set \"OUT=%~dp0dumps\"",
            "set \"COUNT=1\"",
            "if not \"%~3\"==\"\" set \"COUNT=%~3\"",
            .. ScriptFile.Needs("procdump", "install it from the Sysinternals tools"),
            "if not exist \"%OUT%\" mkdir \"%OUT%\"",
            "if errorlevel 1 exit /b 1",
            "rem Wait for a name, not for a process id.",
            "set \"WAIT=\"",
            "for /f \"delims=0123456789\" %%P in (\"%~2\") do set \"WAIT=-w\"",
            line,
            "rem procdump's exit code is the number of dumps.",
            "if exist \"%OUT%\\*.dmp\" exit /b 0",
            "exit /b 1",
        ];
        return new ScriptFile(Path.Combine(Program, ScriptName), string.Concat(lines.Select(text => text + "\r\n")));
    }

    private static string[] Count(long count) => ["-n", count.ToString(CultureInfo.InvariantCulture)];

    private static string Difference(DumpTrigger trigger) =>
        trigger switch
        {
            { Kind: DumpTriggerKind.Memory } => " (committed memory, not resident)",
            { Exception.Number: > 1 } => " (also at the throws before it, because procdump counts only throws with a dump)",
            _ => "",
        };

    private static string Content(DumpKind kind) =>
        kind switch
        {
            DumpKind.Mini => "-mm",
            DumpKind.Full => "-ma",
            _ => "-mp",
        };
}
