using System.CommandLine;
using System.CommandLine.Parsing;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Options for where events go.</summary>
internal sealed class ModeOptions
{
    private readonly Option<string> _mode = new("--mode")
    {
        Description =
            "file: keep everything; circular:SIZE: keep the newest events in SIZE (KB, MB, GB) of memory and write them at the end; kill -USR1 writes a snapshot.",
        HelpName = "file|circular:SIZE",
        DefaultValueFactory = _ => RecordingMode.File.ToString(),
    };

    private readonly Option<string> _triggerFile = new("--trigger-file")
    {
        Description = "With --mode circular: write a snapshot whenever this file appears, then delete the file.",
        HelpName = "PATH",
    };

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        _mode.CompletionSources.Add("file", "circular:64MB", "circular:256MB");
        _mode.Validators.Add(result =>
        {
            if (!RecordingMode.TryParse(result.GetValueOrDefault<string>() ?? "", out _, out var error))
                result.AddError(error, "write --mode file, or --mode circular:64MB");
        });
        command.Options.Add(_mode.InGroup(HelpGroups.Recorded));
        command.Options.Add(_triggerFile.InGroup(HelpGroups.Recorded));
        command.Check(result =>
        {
            // Without --mode the value is null here, because the default is applied later. A validator elsewhere reports an invalid value.
            if (
                result.GetResult(_triggerFile) is not null
                && RecordingMode.TryParse(result.GetValue(_mode) ?? RecordingMode.File.ToString(), out var mode, out _)
                && !mode.IsCircular
            )
                result.AddError(
                    "--trigger-file: snapshots need --mode circular:SIZE",
                    "add --mode circular:64MB, for example, or leave it out"
                );
        });
    }

    /// <summary>The chosen mode.</summary>
    public RecordingMode Mode(ParseResult parsed) =>
        // The validator has rejected invalid values.
        RecordingMode.TryParse(parsed.GetValue(_mode)!, out var chosen, out _)
            ? chosen
            : RecordingMode.File;

    /// <summary>Whether the command line names a trigger file.</summary>
    public bool HasTriggerFile(CommandResult command) => command.GetResult(_triggerFile) is { Implicit: false };

    /// <summary>Applies the chosen mode to the options.</summary>
    public RecordOptions Apply(ParseResult parsed, RecordOptions options)
    {
        return options with
        {
            Mode = Mode(parsed),
            TriggerFile = parsed.GetValue(_triggerFile) is { } file ? Path.GetFullPath(file) : null,
        };
    }
}
