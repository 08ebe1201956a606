using System.CommandLine;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Export;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze export</c>: writes a recording in the format of another tool.</summary>
internal static class ExportCommand
{
    /// <summary>Interrupted, nothing is left behind.</summary>
    private const int Interrupted = 130;

    public static Command Create()
    {
        var command = new Command("export", "Writes a recording made on Linux in another tool's format: as .etl for the Windows Performance Analyzer, PerfView and TraceEvent.");
        var paths = new Argument<string[]>("RECORDING")
        {
            Description = "A recording's folder, or .nettrace files that belong together.",
            Arity = new ArgumentArity(1, 10_000),
        };
        var format = new Option<ExportFormat>("--to") { Description = "Format.", HelpName = "etl", Required = true };
        var file = new Option<string?>("--out", "-o") { Description = "File to write; the folder's name with the format's extension unless given.", HelpName = "FILE" };
        var force = new Option<bool>("--force") { Description = "Replace the file if it exists." };
        var compress = new Option<bool>("--compress") { Description = "Compress the .etl: about a fifth of the size." };
        command.Arguments.Add(paths);
        foreach (var option in (Option[])[format, file, force, compress])
            command.Options.Add(option);
        command.SetAction((parsed, cancellation) => Task.FromResult(Run(
            parsed,
            parsed.GetValue(paths)!,
            path => new EtlExportOptions(path) { Overwrite = parsed.GetValue(force), Compress = parsed.GetValue(compress) },
            parsed.GetValue(file),
            cancellation)));
        return command;
    }

    private static int Run(ParseResult parsed, string[] paths, Func<string, EtlExportOptions> options, string? file, CancellationToken cancellation)
    {
        var error = parsed.InvocationConfiguration.Error;
        try
        {
            var name = Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(paths[0])));
            ExportText.Export(paths, options(file ?? (Directory.Exists(paths[0]) ? name : Path.GetFileNameWithoutExtension(name)) + ".etl") with { Source = name }, parsed.InvocationConfiguration.Output, cancellation);
            return ReportAction.Done;
        }
        catch (ExportException exception)
        {
            error.WriteLine($"esp-analyze: {exception.Message}");
            return RootCommandFactory.Usage;
        }
        catch (OperationCanceledException)
        {
            error.WriteLine("esp-analyze: interrupted; nothing was written");
            return Interrupted;
        }
        catch (TraceFormatException exception)
        {
            error.WriteLine($"esp-analyze: {exception.Message}");
            return ReportAction.Unreadable;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            error.WriteLine($"esp-analyze: {exception.Message.TrimEnd('.')}; nothing was written");
            return ReportAction.NotPermitted;
        }
    }
}
