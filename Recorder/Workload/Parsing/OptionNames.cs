using System.CommandLine;

namespace EtwSerializerProfiler.Parsing;

/// <summary>Accepts names of options in any case and with one or two dashes, as users of SerializerTests write them.</summary>
public static class OptionNames
{
    /// <summary>Parser settings of all commands: a name with one dash and several letters is one option, not a bundle of letters.</summary>
    public static ParserConfiguration Parsing { get; } = new() { EnablePosixBundling = false };

    /// <summary>
    /// Replaces every spelling of the names of <paramref name="options"/> by the canonical one. Values stay unchanged, including those in
    /// <c>-name=value</c> and <c>-name:value</c>; everything after <c>--</c> belongs to another program.
    /// </summary>
    public static string[] Normalize(IReadOnlyList<string> args, IEnumerable<Option> options)
    {
        ArgumentNullException.ThrowIfNull(args);
        ArgumentNullException.ThrowIfNull(options);

        var canonical = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var option in options)
        {
            foreach (var name in option.Aliases.Prepend(option.Name))
                canonical.TryAdd(name.TrimStart('-'), option.Name);
        }

        var normalized = args.ToArray();
        for (var i = 0; i < normalized.Length && normalized[i] != "--"; i++)
            normalized[i] = Normalize(normalized[i], canonical);
        return normalized;
    }

    private static string Normalize(string arg, Dictionary<string, string> canonical)
    {
        var dashes =
            arg.StartsWith("--", StringComparison.Ordinal) ? 2
            : arg.StartsWith('-') ? 1
            : 0;
        if (dashes == 0)
            return arg;
        var end = arg.AsSpan(dashes).IndexOfAny('=', ':') is var separator and >= 0 ? dashes + separator : arg.Length;
        return canonical.TryGetValue(arg[dashes..end], out var name) ? name + arg[end..] : arg;
    }
}
