using System.CommandLine;
using EtwSerializerProfiler.Configuration;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>A command whose options a configuration file can give.</summary>
internal sealed class ConfiguredCommand(string name, string description) : Command(name, description)
{
    /// <summary>The options that name the file; they are no keys of it.</summary>
    public ConfigurationOptions Configuration { get; } = new();
}
