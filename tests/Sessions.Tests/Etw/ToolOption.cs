namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>An option of a tool as its documentation has it.</summary>
/// <param name="Name">Its name, dash included; tools take any case.</param>
/// <param name="Source">Where it is documented.</param>
/// <param name="Values">Pattern of each value that follows. The last may be "N…": so many event ids as the number before says; or end with '+': one or more.</param>
internal sealed record ToolOption(string Name, string Source, params string[] Values);
