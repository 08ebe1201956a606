using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace EtwSerializerProfiler.CommandLine.Help;

/// <summary>Writes help our way.</summary>
/// <param name="tool">Name of the tool.</param>
/// <param name="width">Columns of a line, asked when help is written.</param>
public sealed class HelpWriterAction(string tool, Func<int> width) : SynchronousCommandLineAction
{
    /// <summary>Columns where the output is no terminal.</summary>
    public const int WidthOfFiles = 100;

    /// <inheritdoc />
    public override bool ClearsParseErrors => true;

    /// <summary>Makes the help and version options of a root command use our texts.</summary>
    /// <param name="root">The root command.</param>
    /// <param name="tool">Name of the tool.</param>
    /// <param name="width">Columns of a line, asked when help is written.</param>
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
