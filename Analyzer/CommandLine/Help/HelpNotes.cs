using System.CommandLine;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.CommandLine.Help;

/// <summary>What help says of commands and options beside their descriptions. System.CommandLine's symbols have no place for it, so it is kept beside them.</summary>
public static class HelpNotes
{
    private static readonly ConditionalWeakTable<Symbol, string> s_groups = new();
    private static readonly ConditionalWeakTable<Command, IReadOnlyList<CommandExample>> s_examples = new();
    private static readonly ConditionalWeakTable<Command, IReadOnlyList<string>> s_usage = new();
    private static readonly ConditionalWeakTable<Command, IReadOnlyList<string>> s_order = new();
    private static readonly ConditionalWeakTable<Option, Func<string>> s_descriptions = new();

    /// <summary>Puts an option, or a command, into a group of the help.</summary>
    /// <param name="symbol">The option or command.</param>
    /// <param name="group">Title of the group.</param>
    public static T InGroup<T>(this T symbol, string group)
        where T : Symbol
    {
        s_groups.AddOrUpdate(symbol, group);
        return symbol;
    }

    /// <summary>Gives a command its examples.</summary>
    /// <param name="command">The command.</param>
    /// <param name="examples">Command line, and what it answers.</param>
    public static T WithExamples<T>(this T command, params (string Line, string Answers)[] examples)
        where T : Command
    {
        s_examples.AddOrUpdate(command, [.. examples.Select(example => new CommandExample(example.Line, example.Answers))]);
        return command;
    }

    /// <summary>Says how a command is called where that cannot be told from its arguments.</summary>
    /// <param name="command">The command.</param>
    /// <param name="lines">One line each way.</param>
    public static T WithUsage<T>(this T command, params string[] lines)
        where T : Command
    {
        s_usage.AddOrUpdate(command, lines);
        return command;
    }

    /// <summary>Says in which order the groups of a command's options stand; those that are not named stand behind them.</summary>
    public static T WithGroups<T>(this T command, params string[] groups)
        where T : Command
    {
        s_order.AddOrUpdate(command, groups);
        return command;
    }

    /// <summary>
    /// Describes an option by a text that is made when somebody reads it. All commands are built whenever the tool starts: a description that lists a table's entries would build the table for each of them.
    /// </summary>
    /// <param name="option">The option.</param>
    /// <param name="description">Makes its description.</param>
    public static T DescribedBy<T>(this T option, Func<string> description)
        where T : Option
    {
        s_descriptions.AddOrUpdate(option, description);
        return option;
    }

    /// <summary>The description of an option, empty when it has none.</summary>
    public static string DescriptionOf(Option option)
    {
        ArgumentNullException.ThrowIfNull(option);
        return s_descriptions.TryGetValue(option, out var description) ? description() : option.Description ?? "";
    }

    /// <summary>The order of the groups.</summary>
    public static IReadOnlyList<string> GroupsOf(Command command) => s_order.TryGetValue(command, out var groups) ? groups : [];

    /// <summary>The group of an option or command, empty when it has none.</summary>
    public static string GroupOf(Symbol symbol) => s_groups.TryGetValue(symbol, out var group) ? group : "";

    /// <summary>The examples of a command.</summary>
    public static IReadOnlyList<CommandExample> ExamplesOf(Command command) => s_examples.TryGetValue(command, out var examples) ? examples : [];

    /// <summary>How a command is called, where it says so itself.</summary>
    public static IReadOnlyList<string> UsageOf(Command command) => s_usage.TryGetValue(command, out var lines) ? lines : [];
}
