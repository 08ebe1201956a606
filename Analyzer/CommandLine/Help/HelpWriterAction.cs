using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace EtwSerializerProfiler.CommandLine.Help;

/// <summary>Prints the help of a command with <see cref="HelpText"/>.</summary>
/// <param name="tool">Name of the tool.</param>
/// <param name="width">Returns the width of a line in characters when help is written.</param>
public sealed class HelpWriterAction(string tool, Func<int> width) : SynchronousCommandLineAction
{
    /// <summary>Width of a line, in characters, when the output is a file or a pipe.</summary>
    public const int WidthOfFiles = 100;

    /// <inheritdoc />
    public override bool ClearsParseErrors => true;

    /// <summary>Replaces the help and version actions of a root command by the tool's own.</summary>
    /// <param name="root">The root command.</param>
    /// <param name="tool">Name of the tool.</param>
    /// <param name="width">Returns the width of a line in characters when help is written.</param>
    public static void Set(RootCommand root, string tool, Func<int> width)
    {
        ArgumentNullException.ThrowIfNull(root);
        foreach (var option in root.Options)
        {
            if (option is HelpOption help)
            {
                help.Action = new HelpWriterAction(tool, width);
                help.Description = "This help.";
            }
            else if (option is VersionOption version)
            {
                version.Action = new VersionAction(tool);
                version.Description = "Version, runtime and system.";
            }
        }
    }

    /// <inheritdoc />
    public override int Invoke(ParseResult parseResult)
    {
        ArgumentNullException.ThrowIfNull(parseResult);
        new HelpText(tool, parseResult.InvocationConfiguration.Output, width()).Write(parseResult.CommandResult.Command);
        return 0;
    }
}
