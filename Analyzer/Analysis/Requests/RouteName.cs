using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Analysis.Requests;

/// <summary>
/// Finds the common name of one route's paths: <c>/items/{id}</c> for /items/5. The events have paths and the route's parameters, but not
/// the route.
/// </summary>
internal static partial class RouteName
{
    /// <summary>Fewer hexadecimal digits may form a word.</summary>
    private const int MinHexDigits = 8;

    /// <summary>Parameters that name a part of the program; their values stay in the path.</summary>
    private static readonly HashSet<string> s_places = new(StringComparer.OrdinalIgnoreCase) { "controller", "action", "area", "page" };

    /// <summary>
    /// Replaces the parameters' values by their names. In a path without parameters (a sent request, or one that matches no route), it
    /// replaces numbers instead.
    /// </summary>
    /// <param name="path">Path without query.</param>
    /// <param name="values">Parameters: <c>[id, 5],[name, x]</c>; empty without any.</param>
    public static string Of(string path, string values)
    {
        var route = path;
        foreach (Match value in Value().Matches(values))
        {
            if (!s_places.Contains(value.Groups["name"].Value) && value.Groups["value"] is { Length: > 0 } text)
                route = Replace(route, text.Value, $"{{{value.Groups["name"].Value}}}");
        }

        return values.Length > 0 ? route : string.Join('/', path.Split('/').Select(Folded));
    }

    /// <summary>Replaces the first occurrence that is one or several whole segments, else the first occurrence.</summary>
    private static string Replace(string path, string value, string name)
    {
        var first = -1;
        for (
            var at = path.IndexOf(value, StringComparison.OrdinalIgnoreCase);
            at >= 0;
            at = path.IndexOf(value, at + 1, StringComparison.OrdinalIgnoreCase)
        )
        {
            if (path.AsSpan(0, at).LastIndexOf('{') > path.AsSpan(0, at).LastIndexOf('}'))
                continue; // inside a placeholder name
            if (at > 0 && path[at - 1] == '/' && (at + value.Length == path.Length || path[at + value.Length] == '/'))
                return Replaced(at);
            first = first < 0 ? at : first;
        }

        return first < 0 ? path : Replaced(first);

        string Replaced(int at) => $"{path.AsSpan(0, at)}{name}{path.AsSpan(at + value.Length)}";
    }

    private static string Folded(string segment) =>
        Guid.TryParse(segment, out _) ? "{guid}"
        : segment.Length > 0 && segment.All(char.IsAsciiDigit) ? "{n}"
        : segment.Length >= MinHexDigits && segment.All(char.IsAsciiHexDigit) && segment.Any(char.IsAsciiDigit) ? "{hex}"
        : segment;

    // A value may contain brackets and commas.
    [GeneratedRegex(@"\[(?<name>[^,\]]+), (?<value>.*?)\](?=,\[[^,\]]+, |$)", RegexOptions.Singleline)]
    private static partial Regex Value();
}
