namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>What is recorded and where to.</summary>
/// <param name="Folder">Folder of the recording.</param>
/// <param name="Command">The program to run, with its arguments; empty when something that runs already is recorded until the user says stop.</param>
public sealed record EtwTarget(string Folder, IReadOnlyList<string> Command)
{
    /// <summary>Working directory of the program.</summary>
    public string WorkingDirectory { get; init; } = "";

    /// <summary>Variables of the program's environment.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>What stands between folder and file: Windows' separator, unless a test runs the steps on another system.</summary>
    public char Separator { get; init; } = '\\';

    /// <summary>Where notes of sessions are kept, for the text of steps.</summary>
    public string NotesFolder { get; init; } = @"%ProgramData%\EtwSerializerProfiler\sessions";

    /// <summary>Path of a file in the folder.</summary>
    public string PathOf(string fileName) => Folder.Length == 0 ? fileName : $"{Folder.Replace('/', Separator).TrimEnd(Separator)}{Separator}{fileName}";
}
