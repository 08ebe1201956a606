using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Finds in the output of <c>dotnet publish</c> what a user has to know.</summary>
internal static partial class BuildErrors
{
    /// <summary>The first error and what to do about it, one line.</summary>
    /// <param name="output">What the build printed.</param>
    /// <param name="log">File that holds all of it.</param>
    public static string Explain(string output, string log)
    {
        var error = ErrorLine().Match(output);
        if (!error.Success)
            return $"the build failed without naming an error; its output is in {log}";
        var code = error.Groups["code"].Value;
        var remedy = code switch
        {
            "NU1101" or "NU1102" or "NU1103" or "NU1301" or "NU1100" => "a package cannot be restored: check the network and the feeds of NuGet.config",
            "NETSDK1045" or "NETSDK1209" => "install a newer .NET SDK",
            "MSB3644" => "the reference assemblies of .NET Framework are missing: check the network and the feeds",
            "NETSDK1094" or "NETSDK1084" or "NETSDK1082" => "this runtime has no package for this system: choose another --runtime, or --precompile off",
            _ when code.StartsWith("CS", StringComparison.Ordinal) => "the suite's sources do not compile for this runtime",
            _ => "",
        };
        return $"{code}: {error.Groups["text"].Value.Trim()}{(remedy.Length > 0 ? $"; {remedy}" : "")} (all output: {log})";
    }

    /// <summary><c>FILE : error CODE: text [PROJECT]</c>, as MSBuild prints it.</summary>
    [GeneratedRegex(@"error (?<code>[A-Z]+\d+): (?<text>.+?)(?=\s\[[^\]]*proj[^\]]*\]|\r?$)", RegexOptions.Multiline | RegexOptions.CultureInvariant)]
    private static partial Regex ErrorLine();
}
