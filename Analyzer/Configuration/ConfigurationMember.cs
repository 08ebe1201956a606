namespace EtwSerializerProfiler.Configuration;

/// <summary>A key of the file and its value.</summary>
/// <param name="Key">The key.</param>
/// <param name="At">Where the key begins.</param>
/// <param name="Value">The value.</param>
public sealed record ConfigurationMember(string Key, TextPosition At, ConfigurationNode Value);
