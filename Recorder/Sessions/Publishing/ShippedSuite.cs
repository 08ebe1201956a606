namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>The build of the suite beside esp-record.</summary>
/// <param name="Folder">Its folder.</param>
/// <param name="Launch">Command that starts it: its executable, or the dotnet command and its assembly.</param>
/// <param name="Environment">Variables with which its host finds the runtime.</param>
public sealed record ShippedSuite(string Folder, IReadOnlyList<string> Launch, IReadOnlyDictionary<string, string?> Environment);
