using System.CommandLine;
using System.CommandLine.Parsing;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.CommandLine;

/// <summary>Turns the parser's errors into a problem: what is wrong, in which argument, and what to write instead.</summary>
public static class ParseProblems
{
    /// <summary>The first problem to fix; null when there is none.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="tool">Name of the tool.</param>
    public static Problem? Of(ParseResult parsed, string tool)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        if (parsed.Errors.Count == 0)
            return null;
        var command = parsed.CommandResult.Command;
        var help = $"'{CommandNames.Path(command, tool)} --help'";
        var values = parsed
            .Errors.Select(error => error.SymbolResult)
            .OfType<ArgumentResult>()
            .Where(result => result.Parent is CommandResult)
            .SelectMany(result => result.Tokens)
            .Select(token => token.Value);
        if (parsed.UnmatchedTokens.Concat(values).FirstOrDefault(IsOption) is { } option)
            return UnknownOption(option, command, tool);

        // Errors of values come first, then conflicts, then missing options.
        var error =
            parsed.Errors.FirstOrDefault(error =>
                error.SymbolResult is OptionResult or ArgumentResult { Parent: OptionResult } or ArgumentResult { Tokens.Count: > 0 }
            )
            ?? parsed.Errors.FirstOrDefault(error => OptionErrors.Find(error.Message) is not null)
            ?? parsed.Errors[0];
        if (OptionErrors.Find(error.Message) is { } advice)
            return new Problem(advice.What, Where(error.SymbolResult, command, tool), advice.Fix);
        if (parsed.UnmatchedTokens is [var first, ..])
            return UnknownCommand(first, command, tool, help);
        return error.SymbolResult switch
        {
            OptionResult value => Value(value, command, tool, help, error.Message),
            ArgumentResult { Argument: var argument, Parent: OptionResult value }
                when value.Option.Name.Length > 0 || argument.Name.Length > 0 => Value(value, command, tool, help, error.Message),
            ArgumentResult { Tokens.Count: > 0, Parent: CommandResult } value
                when value.Tokens.Count >= value.Argument.Arity.MinimumNumberOfValues => new Problem(
                $"'{string.Join(' ', value.Tokens.Select(token => token.Value))}' is not a valid value of {value.Argument.Name}",
                Where(value, command, tool),
                $"write {value.Argument.Name}: {value.Argument.Description?.TrimEnd('.')}; {help} has examples"
            ),
            _ => Missing(parsed, command, tool, help)
                ?? new Problem(Sentence(error.Message), $"{CommandNames.Path(command, tool)}", $"see {help}"),
        };
    }

    /// <summary>Creates the problem of an unknown option.</summary>
    /// <param name="typed">What was typed.</param>
    /// <param name="command">The command.</param>
    /// <param name="tool">Name of the tool.</param>
    public static Problem UnknownOption(string typed, Command command, string tool)
    {
        ArgumentNullException.ThrowIfNull(typed);
        ArgumentNullException.ThrowIfNull(command);
        var path = CommandNames.Path(command, tool);
        var bare = typed.Split('=', ':')[0];
        var names = CommandNames.Options(command).SelectMany(option => option.Aliases.Prepend(option.Name));
        return new Problem(
            $"unknown option '{bare}'",
            $"'{typed}' in the arguments of {path}",
            NearestName.Of(bare, names) is { } near
                ? $"write {near}, if that is meant; '{path} --help' has all options"
                : $"'{path} --help' lists the options"
        );
    }

    /// <summary>Reports unknown options of a command with any number of values, which the parser would take for values.</summary>
    /// <param name="result">The values.</param>
    public static void RefuseUnknownOptions(ArgumentResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        foreach (var token in result.Tokens.Where(token => IsOption(token.Value)))
            result.AddError($"Unknown option '{token.Value}'.");
        if (result.Tokens.Any(token => token.Value.Length == 0))
            result.AddError($"{result.Argument.Name} is empty", "name a file or a folder; a variable of the shell may be empty");
    }

    private static bool IsOption(string token) => token.Length > 1 && token[0] == '-' && !Path.Exists(token);

    private static Problem UnknownCommand(string typed, Command command, string tool, string help)
    {
        var root = command;
        while (root.Parents.OfType<Command>().FirstOrDefault() is { } above)
            root = above;
        var commands = root.Subcommands.Where(item => !item.Hidden).SelectMany(item => item.Aliases.Prepend(item.Name));
        return new Problem(
            $"'{typed}' is not a command, and {CommandNames.Path(command, tool)} accepts no {(command.Arguments.Count > 0 ? "more values" : "value")}",
            $"'{typed}' in the arguments of {CommandNames.Path(command, tool)}",
            NearestName.Of(typed, commands) is { } near
                ? $"write {near}, if that is meant; all commands: '{tool} --help'"
                : $"leave it out; {help} lists its arguments"
        );
    }

    private static Problem Value(OptionResult result, Command command, string tool, string help, string message)
    {
        var option = result.Option;
        var (values, name) = (CommandNames.Values(option.ValueType), CommandNames.Value(option));
        var form = $"{option.Name}{(name.Length > 0 ? $" {name}" : "")}";
        var legal =
            values.Count > 0
                ? $"choose one of {string.Join(", ", values)}"
                : $"write {form}{(HelpNotes.DescriptionOf(option) is { Length: > 0 } description ? $": {description.TrimEnd('.')}" : "")}";
        var tokens = result.Tokens.Select(token => token.Value).ToList();
        var what = tokens.Count switch
        {
            0 when result.Option.Required && result.IdentifierTokenCount == 0 => $"{option.Name} is missing",
            0 => $"{option.Name} needs a value",
            > 1 when option.Arity.MaximumNumberOfValues == 1 => $"{option.Name} takes one value, not {tokens.Count}",
            _ when values.Count > 0 || option.ValueType.IsPrimitive || Nullable.GetUnderlyingType(option.ValueType) is not null =>
                $"'{string.Join(' ', tokens)}' is not a valid value of {option.Name}",
            _ => Sentence(message),
        };
        return new Problem(what, Where(result, command, tool), $"{legal}; {help} has all options");
    }

    private static Problem? Missing(ParseResult parsed, Command command, string tool, string help)
    {
        if (
            command.Options.FirstOrDefault(option => option.Required && parsed.GetResult(option) is null or { Implicit: true })
                is { } required
            && required.Required
        )
        {
            var form = $"{required.Name} {CommandNames.Value(required)}";
            return new Problem($"{required.Name} is missing", CommandNames.Path(command, tool), $"add {form}; {help} has examples");
        }

        var argument = command.Arguments.FirstOrDefault(argument =>
            (parsed.GetResult(argument)?.Tokens.Count ?? 0) < argument.Arity.MinimumNumberOfValues
        );
        if (argument is null)
            return null;
        var few = argument.Arity.MinimumNumberOfValues > 1 ? $" {argument.Arity.MinimumNumberOfValues} times or more" : "";
        return new Problem(
            $"{argument.Name} is missing",
            CommandNames.Path(command, tool),
            $"name {argument.Name}{few}: {argument.Description?.TrimEnd('.')}; {help} has examples"
        );
    }

    private static string Where(SymbolResult? result, Command command, string tool)
    {
        var path = CommandNames.Path(command, tool);
        return result switch
        {
            OptionResult { Implicit: false } option =>
                $"{string.Join(' ', option.Tokens.Select(token => token.Value).Prepend(option.Option.Name))} of {path}",
            ArgumentResult { Parent: OptionResult option } => Where(option, command, tool),
            ArgumentResult { Tokens.Count: > 0 } argument =>
                $"{argument.Argument.Name} {string.Join(' ', argument.Tokens.Select(token => token.Value))} of {path}",
            _ => path,
        };
    }

    private static string Sentence(string message) => message.TrimEnd('.', ' ');
}
