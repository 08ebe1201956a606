using System.CommandLine;
using System.CommandLine.Invocation;
using System.Reflection;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.CommandLine.Help;

/// <summary>Writes version, runtime and system in one line.</summary>
/// <param name="tool">Name of the tool.</param>
public sealed class VersionAction(string tool) : SynchronousCommandLineAction
{
    /// <inheritdoc />
    public override bool ClearsParseErrors => true;

    /// <summary>The line.</summary>
    public static string Line(string tool)
    {
        var version = typeof(VersionAction)
            .Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()
            ?.InformationalVersion.Split('+')[0];
        return $"{tool} {version}, {RuntimeInformation.FrameworkDescription}, {RuntimeInformation.OSDescription} ({RuntimeInformation.RuntimeIdentifier})";
    }

    /// <inheritdoc />
    public override int Invoke(ParseResult parseResult)
    {
        ArgumentNullException.ThrowIfNull(parseResult);
        parseResult.InvocationConfiguration.Output.WriteLine(Line(tool));
        return 0;
    }
}
