namespace EtwSerializerProfiler.Sessions.Etw.Scripts;

/// <summary>A script for cmd.exe.</summary>
/// <param name="Path">Folder and name with this system's separator: <c>xperf/start.cmd</c>.</param>
/// <param name="Text">Its lines, terminated by \r\n: with other line ends, cmd.exe loses labels.</param>
public sealed record ScriptFile(string Path, string Text);
