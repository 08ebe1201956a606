using System.Globalization;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Runs.Marking;

/// <summary>
/// Identity of runs from a benchmark's full name in BenchmarkDotNet: <c>Company.Benchmarks.Read(Serializer: "Jil", N: 1000, Depth: 3)</c>.
/// The serializer is the parameter Serializer, else the type; the object count is a parameter N, Count, Objects or ObjectCount with a
/// number above 0; the operation is the method with the other parameters.
/// </summary>
internal static class BenchmarkName
{
    private const string SerializerParameter = "Serializer";

    private static readonly string[] s_countParameters = ["N", "Count", "Objects", "ObjectCount"];

    /// <summary>Parses the name of a benchmark.</summary>
    public static RunIdentity Parse(string name)
    {
        var open = name.IndexOf('(', StringComparison.Ordinal);
        var (path, parameters) = open > 0 && name.EndsWith(')') ? (name[..open], Split(name[(open + 1)..^1])) : (name, []);
        var dot = LastDot(path);
        var method = path[(dot + 1)..];
        var type = dot > 0 ? path[..dot] : "";
        type = type[(LastDot(type) + 1)..];
        type = type[(type.LastIndexOf('+') + 1)..];

        var serializer = Take(parameters, key => key.Equals(SerializerParameter, StringComparison.OrdinalIgnoreCase), _ => true);
        var count = Take(parameters, key => s_countParameters.Contains(key, StringComparer.OrdinalIgnoreCase), value => Count(value) > 0);
        return new RunIdentity(
            serializer ?? type,
            "",
            "",
            parameters.Count == 0
                ? method
                : $"{method}({string.Join(", ", parameters.Select(parameter => $"{parameter.Key}: {parameter.Value}"))})",
            RunKind.Measured,
            count is null ? 0 : Count(count),
            0,
            1,
            1
        );
    }

    private static int Count(string value) =>
        int.TryParse(value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture, out var count) ? count : 0;

    private static string? Take(List<(string Key, string Value)> parameters, Func<string, bool> isKey, Func<string, bool> isValue)
    {
        var index = parameters.FindIndex(parameter => isKey(parameter.Key) && isValue(parameter.Value));
        if (index < 0)
            return null;
        var value = parameters[index].Value;
        parameters.RemoveAt(index);
        return value;
    }

    /// <summary>Index of the last dot outside of type arguments; -1 without one.</summary>
    private static int LastDot(string path)
    {
        var depth = 0;
        for (var index = path.Length - 1; index >= 0; index--)
        {
            depth += path[index] switch
            {
                '>' => 1,
                '<' => -1,
                _ => 0,
            };
            if (depth == 0 && path[index] == '.')
                return index;
        }

        return -1;
    }

    /// <summary>Splits parameters at commas outside of quotes and brackets; values lose their quotes.</summary>
    private static List<(string Key, string Value)> Split(string text)
    {
        var parameters = new List<(string Key, string Value)>();
        var (start, depth, quoted) = (0, 0, false);
        for (var index = 0; index <= text.Length; index++)
        {
            var isEnd = index == text.Length;
            if (!isEnd && text[index] == '"' && (index == 0 || text[index - 1] != '\\'))
                quoted = !quoted;
            if (!isEnd && !quoted)
                depth += text[index] switch
                {
                    '[' or '(' or '{' or '<' => 1,
                    ']' or ')' or '}' or '>' => -1,
                    _ => 0,
                };
            if (!isEnd && (quoted || depth > 0 || text[index] != ','))
                continue;
            var colon = text.IndexOf(':', start, index - start);
            if (colon > 0)
                parameters.Add((text[start..colon].Trim(), text[(colon + 1)..index].Trim().Trim('"')));
            start = index + 1;
        }

        return parameters;
    }
}
