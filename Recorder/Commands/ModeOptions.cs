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

    private readonly Option<string?> _maxSize = new(RecordingMode.MaxSizeName)
    {
        Description =
            "For recordings of hours: take at most SIZE of the disk. Half of it keeps the newest events; the files are written at the end, or as a snapshot on kill -USR1.",
        HelpName = "SIZE",
    };

    private readonly Option<string> _triggerFile = new("--trigger-file")
    {
        Description = "With --mode circular or --max-size: write a snapshot whenever this file appears, then delete the file.",
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
        _maxSize.CompletionSources.Add("2GB", "20GB");
        _maxSize.Validators.Add(result =>
        {
            if (!ByteSize.TryParse(result.Tokens[0].Value, out var bytes))
                result.AddError(
                    $"{RecordingMode.MaxSizeName} '{result.Tokens[0].Value}' is not a size",
                    $"write {ByteSize.Form}, for example {RecordingMode.MaxSizeName} 2GB"
                );
            else if (bytes is < 2 * RecordingMode.MinBytes or > RecordingMode.MaxOnDiskBytes)
                result.AddError(
                    $"{RecordingMode.MaxSizeName} {result.Tokens[0].Value} is out of range",
                    $"write a size from {ByteSize.Format(2 * RecordingMode.MinBytes)} to {ByteSize.Format(RecordingMode.MaxOnDiskBytes)}"
                );
        });
        command.Options.Add(_mode.InGroup(HelpGroups.Recorded));
        command.Options.Add(_maxSize.InGroup(HelpGroups.Recorded));
        command.Options.Add(_triggerFile.InGroup(HelpGroups.Recorded));
        command.Check(result =>
        {
            // Without --mode the value is null here, because the default is applied later. A validator elsewhere reports an invalid value.
            var isFile =
                !RecordingMode.TryParse(result.GetValue(_mode) ?? RecordingMode.File.ToString(), out var mode, out _) || !mode.IsCircular;
            var hasMaxSize = result.GetResult(_maxSize) is not null;
            if (result.GetResult(_triggerFile) is not null && isFile && !hasMaxSize)
                result.AddError(
                    $"--trigger-file: snapshots need --mode circular:SIZE or {RecordingMode.MaxSizeName}",
                    "add --mode circular:64MB, for example, or leave it out"
                );
            if (hasMaxSize && !isFile)
                result.AddError(
                    $"{RecordingMode.MaxSizeName} keeps the newest events on disk, --mode circular in memory",
                    "leave one of them out"
                );
        });
    }

    /// <summary>The chosen mode. The validators have rejected invalid values.</summary>
    public RecordingMode Mode(ParseResult parsed)
    {
        if (parsed.GetValue(_maxSize) is { } size && ByteSize.TryParse(size, out var bytes))
            return RecordingMode.OnDisk(bytes);
        return RecordingMode.TryParse(parsed.GetValue(_mode)!, out var chosen, out _) ? chosen : RecordingMode.File;
    }

    /// <summary>Names of the given options that ETW sessions do not have.</summary>
    public IEnumerable<string> GivenForOtherSystems(CommandResult command) =>
        new Option[] { _triggerFile, _maxSize }
            .Where(option => command.GetResult(option) is { Implicit: false })
            .Select(option => option.Name);

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
