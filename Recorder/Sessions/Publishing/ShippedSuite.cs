namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>The build of the suite that lies beside esp-record.</summary>
/// <param name="Folder">Its folder.</param>
/// <param name="Launch">What starts it: its executable, or the dotnet command and its assembly.</param>
/// <param name="Environment">Variables it is started with, so that its host finds the runtime.</param>
public sealed record ShippedSuite(string Folder, IReadOnlyList<string> Launch, IReadOnlyDictionary<string, string?> Environment);
