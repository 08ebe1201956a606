using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Configuration;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record init</c>: writes a configuration file that has every key as a comment, and its schema.</summary>
internal sealed class InitCommand : Command
{
    private readonly Option<string> _file = new("--out", "-o")
    {
        Description = "File to write; the schema for editors is written beside it.",
        HelpName = "FILE",
        DefaultValueFactory = _ => ConfigurationFile.FileName,
    };
    private readonly Option<bool> _force = new("--force") { Description = "Replace files that exist." };

    public InitCommand()
        : base(
            "init",
            $"Writes an {ConfigurationFile.FileName} with every key as a comment: options of a recording, and limits of esp-analyze gate."
        )
    {
        Options.Add(_file);
        Options.Add(_force);
        this.WithExamples(
            ("esp-record init", "Write esp.json; uncomment the options you want, then run esp-record."),
            ("esp-record init -o nightly.json", "Write another file, for esp-record --config nightly.json.")
        );
        SetAction((parsed, _) => RunAsync(parsed, parsed.GetValue(_file)!, parsed.GetValue(_force)));
    }

    private static async Task<int> RunAsync(ParseResult parsed, string file, bool force)
    {
        var schemaFile = Path.Combine(Path.GetDirectoryName(file) ?? "", ConfigurationSchema.FileName);
        (string Path, string Text)[] files =
        [
            (file, ConfigurationTemplate.Write(ConfigurationSchema.Shipped, ConfigurationSchema.FileName)),
            (schemaFile, ConfigurationSchema.Shipped.Text),
        ];
        try
        {
            foreach (var (path, text) in force ? [] : files)
            {
                if (Path.Exists(path) && (path == file || await File.ReadAllTextAsync(path).ConfigureAwait(false) != text))
                    return parsed.Fail(
                        new Problem(
                            $"{Path.GetFileName(path)} exists already",
                            path,
                            "replace it with --force, or name another file with -o"
                        ),
                        ExitCode.Usage
                    );
            }

            foreach (var (path, text) in files)
            {
                if (Path.GetDirectoryName(Path.GetFullPath(path)) is { } folder)
                    Directory.CreateDirectory(folder);
                await File.WriteAllTextAsync(path, text).ConfigureAwait(false);
                await parsed.InvocationConfiguration.Output.WriteLineAsync($"Written: {path}").ConfigureAwait(false);
            }

            return ExitCode.Done;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return parsed.Fail(SystemProblem.OfWriting(exception, file, "name another file with -o"), ExitCode.NotPossible);
        }
    }
}
