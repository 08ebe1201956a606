using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Sessions.Etw.Profiles;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record profiles</c>: writes the profiles for the Windows Performance Recorder.</summary>
internal sealed class ProfilesCommand : Command
{
    private readonly Option<string> _folder = new("--out", "-o", "--output")
    {
        Description = "Folder to write them to.",
        HelpName = "DIR",
        DefaultValueFactory = _ => "Profiles",
    };

    public ProfilesCommand()
        : base(
            "profiles",
            "Writes profiles for the Windows Performance Recorder (.wprp) for runs, allocation, first calls and exceptions, each logging to file and to memory. Untested on Windows."
        )
    {
        this.WithExamples(
            ("esp-record profiles", "Write profiles for wpr.exe into the folder Profiles."),
            ("esp-record profiles -o wpr", "Write them into another folder.")
        );
        Options.Add(_folder);
        SetAction(
            (parsed, _) => WrittenFiles.RunAsync(parsed, parsed.GetValue(_folder)!, () => WprpFiles.Write(parsed.GetValue(_folder)!))
        );
    }
}
