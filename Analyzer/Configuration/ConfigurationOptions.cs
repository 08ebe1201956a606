using System.CommandLine;

namespace EtwSerializerProfiler.Configuration;

/// <summary>Options that select the configuration file of a command.</summary>
public sealed class ConfigurationOptions
{
    private readonly Option<string?> _config = new("--config")
    {
        Description =
            $"Configuration file to read instead of an {ConfigurationFile.FileName} in the current folder or a parent (docs/configuration.md).",
        HelpName = "FILE",
    };
    private readonly Option<bool> _noConfig = new("--no-config") { Description = $"Read no {ConfigurationFile.FileName}." };

    /// <summary>The options; they are not keys of the file.</summary>
    public IReadOnlyList<Option> All => [_config, _noConfig];

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        ArgumentNullException.ThrowIfNull(command);
        foreach (var option in All)
            command.Options.Add(option);
        command.Validators.Add(result =>
        {
            if (result.GetResult(_config) is { Implicit: false } && result.GetResult(_noConfig) is { Implicit: false })
                result.AddError("--config and --no-config exclude each other.");
        });
    }

    /// <summary>Reads the file.</summary>
    /// <param name="parsed">The command line.</param>
    /// <returns>The file; null for none.</returns>
    /// <exception cref="ConfigurationException">The file is invalid.</exception>
    public ConfigurationFile? File(ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        if (parsed.GetResult(_noConfig) is { } none && !none.Errors.Any() && parsed.GetValue(_noConfig))
            return null;
        var path = IsNamed(parsed) ? parsed.GetValue(_config) : ConfigurationFile.Find(Environment.CurrentDirectory);
        return path is null ? null : ConfigurationFile.Read(path);
    }

    /// <summary>Whether the command line names the file.</summary>
    public bool IsNamed(ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        return parsed.GetResult(_config) is { Implicit: false, Tokens.Count: 1 };
    }
}
