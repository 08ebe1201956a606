namespace EtwSerializerProfiler.Configuration;

/// <summary>A key of the file with its value.</summary>
/// <param name="Key">The key.</param>
/// <param name="At">Position of the key.</param>
/// <param name="Value">The value.</param>
public sealed record ConfigurationMember(string Key, TextPosition At, ConfigurationNode Value);
