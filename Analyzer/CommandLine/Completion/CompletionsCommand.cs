using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;

namespace EtwSerializerProfiler.CommandLine.Completion;

/// <summary><c>completions SHELL</c>: the script that makes a shell complete command lines of the tool.</summary>
public static class CompletionsCommand
{
    /// <summary>Makes the command.</summary>
    /// <param name="tool">Name of the tool.</param>
    public static Command Create(string tool)
    {
        var command = new Command("completions", "Prints a script with which the Tab key of a shell completes commands, options and values.");
        var shell = new Argument<ShellKind>("SHELL") { Description = "bash, zsh, fish or pwsh.", HelpName = "bash|zsh|fish|pwsh" };
        command.Arguments.Add(shell);
        command.WithExamples(
            ($"{tool} completions bash > ~/.local/share/bash-completion/completions/{tool}", "Tab completes in every bash from now on."),
            ($"{tool} completions zsh > ~/.zfunc/_{tool}", "The same for zsh, where .zfunc is a folder of $fpath."),
            ($"{tool} completions pwsh >> $PROFILE", "The same for PowerShell."));
        command.SetAction(parsed => parsed.InvocationConfiguration.Output.Write($"{CompletionScript.Of(parsed.GetValue(shell), tool)}\n"));
        return command;
    }
}
