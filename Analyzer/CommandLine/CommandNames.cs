using System.CommandLine;

namespace EtwSerializerProfiler.CommandLine;

/// <summary>Formats symbols of a command line for messages.</summary>
internal static class CommandNames
{
    /// <summary>A command with its parents, as users type it.</summary>
    public static string Path(Command command, string tool)
    {
        var names = new List<string>();
        for (Symbol? symbol = command; symbol is Command and not RootCommand; symbol = symbol.Parents.FirstOrDefault())
            names.Insert(0, symbol.Name);
        return string.Join(' ', names.Prepend(tool));
    }

    /// <summary>Options that a command accepts, including recursive ones of its parents.</summary>
    public static IEnumerable<Option> Options(Command command)
    {
        foreach (var option in command.Options.Where(option => !option.Hidden))
            yield return option;
        for (
            var above = command.Parents.OfType<Command>().FirstOrDefault();
            above is not null;
            above = above.Parents.OfType<Command>().FirstOrDefault()
        )
        {
            foreach (var option in above.Options.Where(option => option.Recursive && !option.Hidden))
                yield return option;
        }
    }

    /// <summary>Values of an option or argument with few values; empty when it accepts any text.</summary>
    public static IReadOnlyList<string> Values(Type type)
    {
        var bare = Nullable.GetUnderlyingType(type) ?? type;
        return bare.IsEnum ? [.. Enum.GetNames(bare).Select(name => name.ToLowerInvariant())] : [];
    }

    /// <summary>Name of an option's value; empty when it has none.</summary>
    public static string Value(Option option)
    {
        if (option.Arity.MaximumNumberOfValues == 0 || option.ValueType == typeof(bool))
            return "";
        return option.HelpName ?? (Values(option.ValueType) is { Count: > 0 } values ? string.Join('|', values) : "VALUE");
    }
}
