namespace EtwSerializerProfiler.Dumps.Modules;

/// <summary>An assembly that the process had loaded.</summary>
/// <param name="Name">File name, or what the program called a dynamic one.</param>
/// <param name="Path">Where the process loaded it from; empty for one that was made while it ran.</param>
/// <param name="Version">Its assembly version, from its metadata in the dump; null when that is not in it.</param>
/// <param name="ModuleId">Id of its build; null when its metadata is not in the dump.</param>
/// <param name="Bytes">Its size in memory; null when that is not known.</param>
/// <param name="IsDynamic">Whether the program made it while it ran.</param>
public sealed record DumpModule(string Name, string Path, Version? Version, Guid? ModuleId, long? Bytes, bool IsDynamic);
