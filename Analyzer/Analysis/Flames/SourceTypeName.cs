using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Analysis.Flames;

/// <summary>
/// The name of a type in C#, without namespaces. Generics have angle brackets. Types that the compiler generated are named after their
/// purpose: a state machine by its method, others "closure" or "anonymous".
/// </summary>
public static partial class SourceTypeName
{
    private const string StateMachineBox = "AsyncStateMachineBox";

    /// <summary>Longer names have an ellipsis in the place of their type arguments.</summary>
    private const int MaxLength = 40;

    /// <summary>Type arguments nested deeper are left out.</summary>
    private const int MaxDepth = 8;

    /// <summary>The name of a type.</summary>
    /// <param name="type">Full name by the runtime: nested types after '+', type arguments in brackets after all of them.</param>
    public static string Of(string type)
    {
        ArgumentNullException.ThrowIfNull(type);
        var rest = type.AsSpan();
        var (definition, arguments, suffix) = Take(ref rest, 0);
        if (!rest.IsEmpty)
            return type;
        var name = Name(definition, arguments) + suffix;
        return name.Length <= MaxLength || arguments.Count == 0 || IsMadeForMethod(definition, arguments)
            ? name
            : Name(definition, ["…"]) + suffix;
    }

    /// <summary>Takes a type off the begin of a text.</summary>
    private static (string Definition, List<string> Arguments, string Suffix) Take(ref ReadOnlySpan<char> rest, int depth)
    {
        var end = rest.IndexOfAny('[', ',', ']');
        var definition = (end < 0 ? rest : rest[..end]).ToString();
        rest = end < 0 ? default : rest[end..];
        var arguments = new List<string>();
        if (rest.Length > 1 && rest[0] == '[' && rest[1] is not (',' or ']' or '*'))
        {
            do
            {
                rest = rest[1..];
                var (inner, its, suffix) = Take(ref rest, depth + 1);
                arguments.Add(depth < MaxDepth ? Name(inner, its) + suffix : "…");
            } while (rest.Length > 0 && rest[0] == ',');
            rest = rest.Length > 0 ? rest[1..] : rest;
        }

        // Arrays and pointers.
        var ranks = rest.IndexOfAnyExcept("[],*&");
        ranks = ranks < 0 ? rest.Length : ranks;
        var open = 0;
        for (var i = 0; i < ranks; i++)
        {
            open += rest[i] switch
            {
                '[' => 1,
                ']' => -1,
                _ => 0,
            };
            if (open < 0 || (open == 0 && rest[i] == ','))
                ranks = i;
        }

        var array = rest[..ranks].ToString();
        rest = rest[ranks..];
        return (definition, arguments, array);
    }

    private static bool IsMadeForMethod(string definition, List<string> arguments) =>
        StateMachineOf(definition) is not null || (definition.Contains(StateMachineBox, StringComparison.Ordinal) && arguments.Count > 0);

    private static string Name(string definition, List<string> arguments)
    {
        if (StateMachineOf(definition) is { } method)
            return $"{method} (state machine)";
        var parts = definition.Split('+');
        if (
            parts[^1].StartsWith(StateMachineBox, StringComparison.Ordinal)
            && arguments.Count > 0
            && arguments[^1].EndsWith(" (state machine)", StringComparison.Ordinal)
        )
            return arguments[^1];
        parts[0] = WithoutNamespace(parts[0]);
        var (names, taken) = (new List<string>(), 0);
        foreach (var (number, part) in parts.Index())
        {
            // Events name nested types without the outer one and its arity: what is left belongs to the last part.
            var arity =
                number == parts.Length - 1 ? arguments.Count - taken
                : part.IndexOf('`', StringComparison.Ordinal) is >= 0 and var tick && int.TryParse(part.AsSpan(tick + 1), out var count)
                    ? count
                : 0;
            names.Add(Of(part.Split('`')[0], [.. arguments.Skip(taken).Take(arity)]));
            taken += arity;
        }

        return string.Join('.', names);

        static string Of(string name, List<string> arguments)
        {
            var list = string.Join(", ", arguments);
            if (name.StartsWith("<>f__AnonymousType", StringComparison.Ordinal))
                return $"anonymous {{{list}}}";
            if (name.StartsWith("<>c", StringComparison.Ordinal))
                return "closure";
            name = CompilerPrefix().Replace(name, "");
            return arguments.Count > 0 ? $"{name}<{list}>" : name;
        }
    }

    /// <summary>The method whose async or iterator state machine a type is; null for other types.</summary>
    private static string? StateMachineOf(string definition)
    {
        var method = definition + ".MoveNext";
        return definition.Contains(">d", StringComparison.Ordinal) && SourceName.Of(method) is var name && name != method
            ? WithoutNamespace(name, parts: 2)
            : null;
    }

    /// <summary>The last parts of a name with dots; angle brackets have none that count.</summary>
    private static string WithoutNamespace(string name, int parts = 1)
    {
        var bracket = name.IndexOfAny(['<', '(']);
        var at = bracket < 0 ? name.Length : bracket;
        while (at > 0 && parts > 0)
        {
            at = name.LastIndexOf('.', at - 1);
            parts--;
            if (at < 0)
                return name;
        }

        return at <= 0 ? name : name[(at + 1)..];
    }

    // <>z__ReadOnlyArray, <>y__InlineArray2
    [GeneratedRegex(@"^<>\w__")]
    private static partial Regex CompilerPrefix();
}
