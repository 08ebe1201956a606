using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Sessions.Etw.Scripts;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record scripts</c>: writes scripts for cmd.exe that record without esp-record.</summary>
internal sealed class ScriptsCommand : Command
{
    private readonly Option<string> _folder = new("--out", "-o", "--output")
    {
        Description = "Folder to write them to, one sub-folder per tool.",
        HelpName = "DIR",
        DefaultValueFactory = _ => "scripts",
    };
    private readonly Option<RecordingMode> _memory = new("--memory")
    {
        Description = "Memory shared by the sessions in mode 'memory'.",
        HelpName = "SIZE",
        DefaultValueFactory = _ => EtwScripts.DefaultMemory,
        CustomParser = result =>
        {
            var text = $"circular:{result.Tokens[0].Value}";
            if (!RecordingMode.TryParse(text, out var mode, out var error))
                result.AddError(error, "write --memory 256MB, for example");
            return mode;
        },
    };

    public ScriptsCommand()
        : base(
            "scripts",
            "Writes scripts that start, flush and stop recordings with xperf or tracelog where esp-record is not installed. Untested on Windows."
        )
    {
        this.WithExamples(
            ("esp-record scripts", "Write scripts for cmd.exe that record with xperf or tracelog."),
            (
                "esp-record scripts -o cmd --memory 512MB",
                "Write them into another folder, with more memory for the mode that keeps the newest events."
            )
        );
        Options.Add(_folder);
        Options.Add(_memory);
        SetAction(
            (parsed, _) =>
                WrittenFiles.RunAsync(
                    parsed,
                    parsed.GetValue(_folder)!,
                    () => EtwScripts.Write(parsed.GetValue(_folder)!, parsed.GetValue(_memory)!)
                )
        );
    }
}
