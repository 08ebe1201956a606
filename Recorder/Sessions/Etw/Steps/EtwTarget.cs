namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>Command and folder of a recording.</summary>
/// <param name="Folder">Folder of the recording.</param>
/// <param name="Command">The program to run, with its arguments; empty to record until the user stops.</param>
public sealed record EtwTarget(string Folder, IReadOnlyList<string> Command)
{
    /// <summary>Working directory of the program.</summary>
    public string WorkingDirectory { get; init; } = "";

    /// <summary>Environment variables of the program.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>Separator between folder and file: Windows' own, unless a test runs the steps on another system.</summary>
    public char Separator { get; init; } = '\\';

    /// <summary>Folder of the session ledger, for the text of steps.</summary>
    public string NotesFolder { get; init; } = @"%ProgramData%\EtwSerializerProfiler\sessions";

    /// <summary>Path of a file in the folder.</summary>
    public string PathOf(string fileName) =>
        Folder.Length == 0 ? fileName : $"{Folder.Replace('/', Separator).TrimEnd(Separator)}{Separator}{fileName}";
}
