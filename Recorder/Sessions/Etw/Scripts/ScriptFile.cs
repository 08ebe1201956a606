namespace EtwSerializerProfiler.Sessions.Etw.Scripts;

/// <summary>A script for cmd.exe.</summary>
/// <param name="Path">Folder and name with this system's separator: <c>xperf/start.cmd</c>.</param>
/// <param name="Text">Its lines, terminated by \r\n: with other line ends, cmd.exe loses labels.</param>
public sealed record ScriptFile(string Path, string Text)
{
    /// <summary>Lines that end a script with exit code 3 where a tool is missing.</summary>
    /// <param name="tool">The tool.</param>
    /// <param name="fix">Where to get it.</param>
    public static IEnumerable<string> Needs(string tool, string fix) =>
        [$"where {tool} >nul 2>&1", $"if errorlevel 1 echo {tool} is not on the path: {fix}.& exit /b 3"];
}
