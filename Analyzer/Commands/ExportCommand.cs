using System.CommandLine;
using EtwSerializerProfiler.Analysis.Profiles;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Reports.Profiles;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Traces.Export;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze export</c>: writes a recording in the format of another tool.</summary>
internal static class ExportCommand
{
    public static Command Create()
    {
        var command = new Command(
            "export",
            "Converts a recording for other tools: CPU samples for speedscope, the Firefox profiler, chrome://tracing, pprof, flame graphs or scripts; a Linux recording also as .etl (Windows Performance Analyzer, PerfView, TraceEvent) or .nettrace (PerfView, TraceEvent). Writes the tables of a store as files for DuckDB, Spark and ClickHouse."
        );
        command.WithExamples(
            ("esp-analyze export recordings/r1 --to speedscope", "View the CPU samples in speedscope."),
            (
                "esp-analyze export recordings/r1 --to firefox -o r1.json.gz",
                "A timeline with runs, GCs and exceptions for the Firefox profiler."
            ),
            (
                "esp-analyze export recordings/r1 --to etl --compress",
                "A Linux recording for the Windows Performance Analyzer and PerfView."
            ),
            ("esp-analyze export all.db --to jsonl -o tables", "The tables of a store as files, for DuckDB, Spark and ClickHouse.")
        );
        var paths = new Argument<string[]>("RECORDING")
        {
            Description =
                "A recording's folder, or the files of one recording; or a store (all.db, also with #branch=main,last=20) and the folder for its tables.",
            Arity = new ArgumentArity(1, 10_000),
        };
        var format = new Option<ExportFormat>("--to", "--format", "-f")
        {
            Description = "Format.",
            HelpName = string.Join('|', Enum.GetNames<ExportFormat>()).ToLowerInvariant(),
            Required = true,
        }.ByName();
        var file = new Option<string?>("--out", "-o", "--output")
        {
            Description =
                "File to write (default: the folder's name with the format's extension). A name that ends in .gz is compressed (not etl and nettrace). For a store, the folder for its tables.",
            HelpName = "FILE",
        };
        var force = new Option<bool>("--force") { Description = "Replace an existing file." };
        var by = new Option<ProfileGrouping>("--by")
        {
            Description = "What the output keeps apart: rows of the table (serializer, operation, number of objects) or single runs.",
            HelpName = "row|run",
            DefaultValueFactory = _ => ProfileGrouping.Row,
        }.ByName();
        var inOrder = new Option<bool>("--in-order")
        {
            Description = "speedscope: samples in time order, one profile per thread, instead of added up.",
        };
        var lines = new Option<bool>("--lines")
        {
            Description = "speedscope, firefox, pprof: frames have source file and line; each line of a function is a separate frame.",
        };
        var compress = new Option<bool>("--compress") { Description = "etl: compress the file to about a fifth of the size." };
        var runs = new RunFilterOptions();
        var events = new RunsOption();
        var symbols = new SymbolsOption();
        paths.Validators.Add(ParseProblems.RefuseUnknownOptions);
        paths.CompleteRecordings();
        command.Arguments.Add(paths);
        command.Aliases.Add("convert");
        foreach (var option in (Option[])[format, file, force, by, inOrder, lines, compress])
            command.Options.Add(option);
        runs.AddTo(command);
        events.AddTo(command, paths, canList: false);
        symbols.AddTo(command);
        command.Check(result =>
        {
            // An option that would do nothing is a mistake.
            if (result.GetResult(format) is not { Tokens.Count: 1 })
                return;
            var to = result.GetValue(format);
            if (result.GetResult(paths)?.Tokens is [var first, ..] && StoreAddress.IsStore(first.Value))
            {
                StoreExportAction.Check(result, paths, file, to, [.. command.Options.Except([format, file, force])]);
                return;
            }

            if (to == ExportFormat.Jsonl)
                result.AddError("--to jsonl writes the tables of a store, but this is a recording", "choose csv or json, or name a store");
            if (result.GetValue(compress) && to != ExportFormat.Etl)
                result.AddError("--compress needs --to etl", "leave it out: other formats are compressed when the file's name ends in .gz");
            if (result.GetValue(inOrder) && to != ExportFormat.Speedscope)
                result.AddError("--in-order needs --to speedscope", "leave it out: firefox and chromium always have a timeline");
            if (result.GetValue(lines) && to is not (ExportFormat.Speedscope or ExportFormat.Firefox or ExportFormat.PProf))
                result.AddError(
                    $"--lines has no effect: {to.ToString().ToLowerInvariant()} cannot hold lines",
                    "leave out --lines, or choose speedscope, firefox or pprof"
                );
            if (
                to is ExportFormat.Etl or ExportFormat.NetTrace
                && command
                    .Options.Except([format, file, force, compress])
                    .FirstOrDefault(option => result.GetResult(option) is { Implicit: false })
                    is { } other
            )
                result.AddError(
                    $"{other.Name} selects samples, but {(to == ExportFormat.Etl ? "an .etl" : "a .nettrace")} has the whole recording",
                    $"leave out {other.Name}"
                );
            if (to is ExportFormat.Firefox or ExportFormat.Chromium && result.GetResult(by) is { Implicit: false })
                result.AddError("--by has no effect: firefox and chromium have a timeline with the runs as events", "leave out --by");
        });
        command.SetAction(
            (parsed, cancellation) =>
                Task.FromResult(
                    Run(
                        parsed,
                        parsed.GetValue(paths)!,
                        parsed.GetValue(file),
                        () =>
                        {
                            var names = parsed.GetValue(paths)!;
                            var output = parsed.InvocationConfiguration.Output;
                            if (StoreAddress.IsStore(names[0]))
                                StoreExportAction.Run(
                                    names,
                                    parsed.GetValue(file),
                                    parsed.GetValue(format),
                                    parsed.GetValue(force),
                                    output,
                                    cancellation
                                );
                            else if (parsed.GetValue(format) is ExportFormat.Etl or ExportFormat.NetTrace)
                                ExportTrace(
                                    names,
                                    parsed.GetValue(format),
                                    parsed.GetValue(file),
                                    path => new TraceExportOptions(path)
                                    {
                                        Overwrite = parsed.GetValue(force),
                                        Compress = parsed.GetValue(compress),
                                    },
                                    output,
                                    cancellation
                                );
                            else
                                ExportText.Export(events.Of(parsed, names), Options(), symbols.Files(parsed), output, cancellation);

                            ProfileExportOptions Options() =>
                                new(Enum.Parse<ProfileFormat>(parsed.GetValue(format).ToString()), parsed.GetValue(file))
                                {
                                    Filter = runs.Filter(parsed),
                                    Grouping = parsed.GetValue(by),
                                    InOrder = parsed.GetValue(inOrder),
                                    WithLines = parsed.GetValue(lines),
                                    Overwrite = parsed.GetValue(force),
                                };
                        }
                    )
                )
        );
        return command;
    }

    private static void ExportTrace(
        string[] paths,
        ExportFormat format,
        string? file,
        Func<string, TraceExportOptions> options,
        TextWriter output,
        CancellationToken cancellation
    )
    {
        var name = Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(paths[0])));
        var target = options(
            file
                ?? (Directory.Exists(paths[0]) ? name : Path.GetFileNameWithoutExtension(name))
                    + (format == ExportFormat.Etl ? ".etl" : ".export.nettrace")
        ) with
        {
            Source = name,
        };
        if (format == ExportFormat.Etl)
            ExportText.Export(paths, target, output, cancellation);
        else
            ExportText.ExportNetTrace(paths, target, output, cancellation);
    }

    private static int Run(ParseResult parsed, string[] paths, string? file, Action export)
    {
        var messages = ReportAction.Messages(parsed);
        var recording = string.Join(", ", paths.Take(3));
        try
        {
            export();
            return ExitCode.Done;
        }
        catch (OperationCanceledException)
        {
            messages.Error(new Problem("interrupted; nothing was written", recording, "export again and let it finish"));
            return ExitCode.Interrupted;
        }
        catch (Exception exception) when (exception is not StoreException && exception is IOException or UnauthorizedAccessException)
        {
            // What is read has errors of its own: this is of the file that is written.
            messages.Error(SystemProblem.OfWriting(exception, file ?? Environment.CurrentDirectory, "name another file with -o"));
            return ExitCode.NotPossible;
        }
        catch (Exception exception) when (ReportAction.CodeOf(exception) is not null)
        {
            messages.Error(SystemProblem.Of(exception, recording, "name another recording"));
            return ReportAction.CodeOf(exception)!.Value;
        }
    }
}
