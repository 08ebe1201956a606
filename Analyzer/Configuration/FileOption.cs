namespace EtwSerializerProfiler.Configuration;

/// <summary>An option that esp.json sets.</summary>
/// <param name="Section">The section that has it.</param>
/// <param name="Key">The option.</param>
/// <param name="At">Position of its key in the file, for errors.</param>
/// <param name="Arguments">The equivalent arguments of the command line; empty for a flag that is false.</param>
public sealed record FileOption(ConfigurationSection Section, ConfigurationKey Key, TextPosition At, IReadOnlyList<string> Arguments);
