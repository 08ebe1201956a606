namespace EtwSerializerProfiler.Configuration;

/// <summary>An option that a file gives.</summary>
/// <param name="Section">Where it stands.</param>
/// <param name="Key">The option.</param>
/// <param name="At">Where the key begins.</param>
/// <param name="Arguments">The arguments that say the same on the command line; none for a flag that is false.</param>
public sealed record FileOption(ConfigurationSection Section, ConfigurationKey Key, TextPosition At, IReadOnlyList<string> Arguments);
