using System.CommandLine;
using EtwSerializerProfiler.Configuration;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>A command whose options can come from a configuration file.</summary>
internal sealed class ConfiguredCommand(string name, string description) : Command(name, description)
{
    /// <summary>Options that select the file; they are not keys of it.</summary>
    public ConfigurationOptions Configuration { get; } = new();
}
