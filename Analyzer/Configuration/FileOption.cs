namespace EtwSerializerProfiler.Configuration;

/// <summary>An option from a file.</summary>
/// <param name="Section">Its section.</param>
/// <param name="Key">The option.</param>
/// <param name="At">Position of the key.</param>
/// <param name="Arguments">The equivalent arguments of the command line; empty for a flag that is false.</param>
public sealed record FileOption(ConfigurationSection Section, ConfigurationKey Key, TextPosition At, IReadOnlyList<string> Arguments);
