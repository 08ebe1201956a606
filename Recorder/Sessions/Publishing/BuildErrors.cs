using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Extracts the relevant error from the output of <c>dotnet publish</c>.</summary>
internal static partial class BuildErrors
{
    /// <summary>Returns the first error and its fix.</summary>
    /// <param name="output">Output of the build.</param>
    /// <param name="log">File with the complete output.</param>
    public static PublishException Explain(string output, string log)
    {
        var error = ErrorLine().Match(output);
        if (!error.Success)
            return new PublishException("the build failed without an error message", log, "see the build's output");
        var code = error.Groups["code"].Value;
        var fix = code switch
        {
            "NU1101" or "NU1102" or "NU1103" or "NU1301" or "NU1100" =>
                "check the network and the feeds of NuGet.config: a package cannot be restored",
            "NETSDK1045" or "NETSDK1209" => "install a newer .NET SDK",
            "MSB3644" => "check the network and the feeds: the reference assemblies of .NET Framework are missing",
            "NETSDK1094" or "NETSDK1084" or "NETSDK1082" =>
                "choose another --runtime, or --precompile off: this runtime has no package for this system",
            _ when code.StartsWith("CS", StringComparison.Ordinal) =>
                "choose another --runtime: the suite's sources do not compile for this one",
            _ => "see the complete output of the build",
        };
        return new PublishException($"{code}: {error.Groups["text"].Value.Trim()}", log, fix);
    }

    /// <summary><c>FILE : error CODE: text [PROJECT]</c>, as MSBuild prints it.</summary>
    [GeneratedRegex(
        @"error (?<code>[A-Z]+\d+): (?<text>.+?)(?=\s\[[^\]]*proj[^\]]*\]|\r?$)",
        RegexOptions.Multiline | RegexOptions.CultureInvariant
    )]
    private static partial Regex ErrorLine();
}
