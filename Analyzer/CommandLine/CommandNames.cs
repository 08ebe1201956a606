using System.CommandLine;

namespace EtwSerializerProfiler.CommandLine;

/// <summary>How symbols of a command line are called in messages.</summary>
internal static class CommandNames
{
    /// <summary>A command with those above it, as it is typed.</summary>
    public static string Path(Command command, string tool)
    {
        var names = new List<string>();
        for (Symbol? symbol = command; symbol is Command and not RootCommand; symbol = symbol.Parents.FirstOrDefault())
            names.Insert(0, symbol.Name);
        return string.Join(' ', names.Prepend(tool));
    }

    /// <summary>Options that a command takes, those of the commands above it included when they are passed on.</summary>
    public static IEnumerable<Option> Options(Command command)
    {
        foreach (var option in command.Options.Where(option => !option.Hidden))
            yield return option;
        for (var above = command.Parents.OfType<Command>().FirstOrDefault(); above is not null; above = above.Parents.OfType<Command>().FirstOrDefault())
        {
            foreach (var option in above.Options.Where(option => option.Recursive && !option.Hidden))
                yield return option;
        }
    }

    /// <summary>Values of an option or argument where there are few; empty where any text is one.</summary>
    public static IReadOnlyList<string> Values(Type type)
    {
        var bare = Nullable.GetUnderlyingType(type) ?? type;
        return bare.IsEnum ? [.. Enum.GetNames(bare).Select(name => name.ToLowerInvariant())] : [];
    }

    /// <summary>How the value of an option is called, empty when it takes none.</summary>
    public static string Value(Option option)
    {
        if (option.Arity.MaximumNumberOfValues == 0 || option.ValueType == typeof(bool))
            return "";
        return option.HelpName ?? (Values(option.ValueType) is { Count: > 0 } values ? string.Join('|', values) : "VALUE");
    }
}
