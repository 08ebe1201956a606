using System.CommandLine;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.CommandLine.Help;

/// <summary>
/// Additional help for commands and options. System.CommandLine's symbols cannot store it, so it is stored here by symbol.
/// </summary>
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

    /// <summary>Adds examples to a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="examples">Command lines and what they answer.</param>
    public static T WithExamples<T>(this T command, params (string Line, string Answers)[] examples)
        where T : Command
    {
        s_examples.AddOrUpdate(command, [.. examples.Select(example => new CommandExample(example.Line, example.Answers))]);
        return command;
    }

    /// <summary>Sets the usage of a command that does not follow from its arguments.</summary>
    /// <param name="command">The command.</param>
    /// <param name="lines">One line per form.</param>
    public static T WithUsage<T>(this T command, params string[] lines)
        where T : Command
    {
        s_usage.AddOrUpdate(command, lines);
        return command;
    }

    /// <summary>Sets the order of a command's option groups; unnamed groups come last.</summary>
    public static T WithGroups<T>(this T command, params string[] groups)
        where T : Command
    {
        s_order.AddOrUpdate(command, groups);
        return command;
    }

    /// <summary>
    /// Sets a description that is created only when it is read. The tool creates all commands at every start, and a description with a
    /// table's entries would create the table each time.
    /// </summary>
    /// <param name="option">The option.</param>
    /// <param name="description">Creates the description.</param>
    public static T DescribedBy<T>(this T option, Func<string> description)
        where T : Option
    {
        s_descriptions.AddOrUpdate(option, description);
        return option;
    }

    /// <summary>The description of an option; empty when it has none.</summary>
    public static string DescriptionOf(Option option)
    {
        ArgumentNullException.ThrowIfNull(option);
        return s_descriptions.TryGetValue(option, out var description) ? description() : option.Description ?? "";
    }

    /// <summary>The order of the groups.</summary>
    public static IReadOnlyList<string> GroupsOf(Command command) => s_order.TryGetValue(command, out var groups) ? groups : [];

    /// <summary>The group of an option or command; empty when it has none.</summary>
    public static string GroupOf(Symbol symbol) => s_groups.TryGetValue(symbol, out var group) ? group : "";

    /// <summary>The examples of a command.</summary>
    public static IReadOnlyList<CommandExample> ExamplesOf(Command command) =>
        s_examples.TryGetValue(command, out var examples) ? examples : [];

    /// <summary>The explicit usage of a command; empty when it has none.</summary>
    public static IReadOnlyList<string> UsageOf(Command command) => s_usage.TryGetValue(command, out var lines) ? lines : [];
}
