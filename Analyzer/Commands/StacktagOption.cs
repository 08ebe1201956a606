using System.CommandLine;
using System.CommandLine.Parsing;
using EtwSerializerProfiler.Analysis.Stacktags;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Option for .stacktags files.</summary>
internal sealed class StacktagOption
{
    private readonly Option<string[]> _files = new("--stacktags")
    {
        Description = "Tag files in the format of the Windows Performance Analyzer (default: those of 'esp-analyze stacktags').",
        HelpName = "FILE",
        AllowMultipleArgumentsPerToken = true,
    };

    /// <summary>Adds the option to a command.</summary>
    public void AddTo(Command command) => command.Options.Add(_files);

    /// <summary>Whether files were named.</summary>
    public bool IsGiven(CommandResult result) => result.GetResult(_files) is not null;

    /// <summary>Reads the tags.</summary>
    /// <exception cref="StacktagFormatException">A file is not a .stacktags file.</exception>
    /// <exception cref="IOException">A file is unreadable.</exception>
    public StacktagMatcher Read(ParseResult parsed) => StacktagFiles.Read(parsed.GetValue(_files) ?? []);
}
