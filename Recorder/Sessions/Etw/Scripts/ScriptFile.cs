namespace EtwSerializerProfiler.Sessions.Etw.Scripts;

/// <summary>A script for cmd.exe.</summary>
/// <param name="Path">Folder and name, with the slash of this system: <c>xperf/start.cmd</c>.</param>
/// <param name="Text">Its lines, ended by \r\n: cmd.exe loses labels in files without.</param>
public sealed record ScriptFile(string Path, string Text);
