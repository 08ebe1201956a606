namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>The build of the suite that lies beside esp-record.</summary>
/// <param name="Executable">Path of its executable.</param>
/// <param name="Environment">Variables it is started with, so that its host finds the runtime.</param>
public sealed record ShippedSuite(string Executable, IReadOnlyDictionary<string, string?> Environment);
