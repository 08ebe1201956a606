using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;

namespace EtwSerializerProfiler.CommandLine.Completion;

/// <summary><c>completions SHELL</c>: prints the script that makes a shell complete command lines of the tool.</summary>
public static class CompletionsCommand
{
    /// <summary>Creates the command.</summary>
    /// <param name="tool">Name of the tool.</param>
    public static Command Create(string tool)
    {
        var command = new Command("completions", "Prints a script that lets the Tab key of a shell complete commands, options and values.");
        var shell = new Argument<ShellKind>("SHELL") { Description = "bash, zsh, fish or pwsh.", HelpName = "bash|zsh|fish|pwsh" };
        command.Arguments.Add(shell);
        command.WithExamples(
            ($"{tool} completions bash > ~/.local/share/bash-completion/completions/{tool}", "Enable completion in every new bash."),
            ($"{tool} completions zsh > ~/.zfunc/_{tool}", "Enable it in zsh; .zfunc must be in $fpath."),
            ($"{tool} completions pwsh >> $PROFILE", "Enable it in PowerShell.")
        );
        command.SetAction(parsed => parsed.InvocationConfiguration.Output.Write($"{CompletionScript.Of(parsed.GetValue(shell), tool)}\n"));
        return command;
    }
}
