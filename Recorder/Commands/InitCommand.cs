using System.CommandLine;
using EtwSerializerProfiler.Configuration;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record init</c>: writes a configuration file in which every key stands as a comment, and its schema.</summary>
internal sealed class InitCommand : Command
{
    private readonly Option<string> _file = new("--out", "-o") { Description = "File to write; the schema for editors is written beside it.", HelpName = "FILE", DefaultValueFactory = _ => ConfigurationFile.FileName };
    private readonly Option<bool> _force = new("--force") { Description = "Replace files that exist." };

    public InitCommand()
        : base("init", $"Writes an {ConfigurationFile.FileName} with every key as a comment: options of a recording, and limits of esp-analyze gate.")
    {
        Options.Add(_file);
        Options.Add(_force);
        SetAction((parsed, _) => RunAsync(parsed.GetValue(_file)!, parsed.GetValue(_force)));
    }

    private static async Task<int> RunAsync(string file, bool force)
    {
        var schemaFile = Path.Combine(Path.GetDirectoryName(file) ?? "", ConfigurationSchema.FileName);
        (string Path, string Text)[] files = [(file, ConfigurationTemplate.Write(ConfigurationSchema.Shipped, ConfigurationSchema.FileName)), (schemaFile, ConfigurationSchema.Shipped.Text)];
        try
        {
            foreach (var (path, text) in force ? [] : files)
            {
                if (Path.Exists(path) && (path == file || await File.ReadAllTextAsync(path).ConfigureAwait(false) != text))
                    return await RecordingAction.FailAsync($"{path} exists; --force replaces it, -o names another file", ExitCode.Usage).ConfigureAwait(false);
            }

            foreach (var (path, text) in files)
            {
                if (Path.GetDirectoryName(Path.GetFullPath(path)) is { } folder)
                    Directory.CreateDirectory(folder);
                await File.WriteAllTextAsync(path, text).ConfigureAwait(false);
                await Console.Out.WriteLineAsync($"Written: {path}").ConfigureAwait(false);
            }

            return ExitCode.Done;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return await RecordingAction.FailAsync($"{exception.Message.TrimEnd('.')}; name another file with -o", ExitCode.NotPossible).ConfigureAwait(false);
        }
    }
}
