using System.CommandLine;

namespace EtwSerializerProfiler.Configuration;

/// <summary>A section of the file with the options of a command.</summary>
public sealed class ConfigurationSection
{
    /// <summary>Creates a section.</summary>
    /// <param name="name">Its key.</param>
    /// <param name="description">Its purpose in a sentence or two.</param>
    /// <param name="options">Its options.</param>
    public ConfigurationSection(string name, string description, IEnumerable<Option> options)
    {
        Name = name;
        Description = description;
        Keys = [.. options.Where(option => !option.Hidden).Select(option => new ConfigurationKey(option))];
    }

    /// <summary>Its key.</summary>
    public string Name { get; }

    /// <summary>Its purpose.</summary>
    public string Description { get; }

    /// <summary>Its keys.</summary>
    public IReadOnlyList<ConfigurationKey> Keys { get; }
}
