using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Short names of runtimes.</summary>
public static partial class RuntimeNames
{
    /// <summary>
    /// A runtime's name with the first two numbers of its version: <c>.NET 10.0</c>, <c>Mono 6.8</c>; the whole text if there is no
    /// version.
    /// </summary>
    public static string Short(string runtime)
    {
        ArgumentNullException.ThrowIfNull(runtime);
        return Version().Match(runtime) is { Success: true } match ? match.Value : runtime;
    }

    [GeneratedRegex(@"^\D*\d+(\.\d+)?", RegexOptions.CultureInvariant)]
    private static partial Regex Version();
}
