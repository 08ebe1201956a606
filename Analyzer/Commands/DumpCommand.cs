using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Dumps;
using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Reports;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze dump</c>: the state of a process in a dump.</summary>
internal static class DumpCommand
{
    /// <summary>Default of --top for text output; CSV and JSON have all rows.</summary>
    private const int RowsForPeople = 20;

    private static readonly (DumpSections Section, Option<bool> Option)[] s_sections =
    [
        (
            DumpSections.Exceptions,
            new Option<bool>("--exceptions") { Description = "Exceptions on threads and on the heap, with their stacks." }
        ),
        (
            DumpSections.Threads,
            new Option<bool>("--threads") { Description = "All managed stacks, equal ones grouped, with the serializers' frames marked." }
        ),
        (
            DumpSections.Heap,
            new Option<bool>("--heap") { Description = "Objects by type and generation, free space, pinned objects, finalizers." }
        ),
        (DumpSections.Locks, new Option<bool>("--locks") { Description = "Held locks, their owners, and the threads that wait for them." }),
        (
            DumpSections.Roots,
            new Option<bool>("--roots") { Description = "What keeps the largest types alive: paths from roots to sampled objects." }
        ),
        (DumpSections.Modules, new Option<bool>("--modules") { Description = "Assemblies with their versions." }),
        (DumpSections.All, new Option<bool>("--all") { Description = "All of these sections." }),
    ];

    public static Command Create()
    {
        var command = new Command(
            "dump",
            "Shows the state of a .NET process in a dump: exceptions, threads, heap (default), locks, roots, assemblies. Compares two dumps by type."
        );
        command.WithExamples(
            ("esp-analyze dump recordings/r1", "What was the process doing: exceptions, threads, heap?"),
            ("esp-analyze dump core.4711 --threads --locks", "Who waits for whom?"),
            ("esp-analyze dump before.dmp after.dmp", "Which types have more objects than before?")
        );
        var arguments = new AnalyzeArguments(
            "A dump (ELF core or minidump), or a recording's folder with one. Name two to compare their heaps by type.",
            runs: false
        );
        var number = new Option<int?>("--dump") { Description = "Number of the dump in a recording with several, from 1.", HelpName = "N" };
        var library = new Option<string?>("--dac")
        {
            Description =
                "The debugging library (mscordaccore) of the dump's runtime, if it is not beside that runtime on this machine. Nothing is downloaded.",
            HelpName = "FILE",
        };
        var limit = new Option<double>("--time-limit")
        {
            Description = "Maximum time of the search for root paths.",
            HelpName = "SECONDS",
            DefaultValueFactory = _ => 60,
        };
        var top = TopOption.Create(RowsForPeople);
        var watched = new Option<string?>(WatchedSteps.Option) { Hidden = true };
        arguments.AddTo(command);
        foreach (var (_, option) in s_sections)
            command.Options.Add(option);
        foreach (var option in (Option[])[number, library, limit, top, watched])
            command.Options.Add(option);
        library.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string?>() is { } file && !File.Exists(file))
                result.AddError(
                    $"there is no file '{file}'",
                    "name the debugging library of the dump's runtime: libmscordaccore.so, mscordaccore.dll"
                );
        });
        limit.Validators.Add(result =>
        {
            if (result.Has<double>(value => value is not (> 0 and < 1e6)))
                result.AddError($"{result.Tokens[0].Value} is not a time", "choose a number of seconds above 0");
        });
        command.Check(result =>
        {
            var paths = result.GetValue(arguments.Paths)?.Length ?? 0;
            var chosen = s_sections.Count(item => result.GetValue(item.Option));
            if (paths > 2)
                result.AddError($"{Plural.Of(paths, "dump")} named, at most two are possible", "name one dump, or two to compare");
            if (paths == 2 && s_sections.Any(item => result.GetValue(item.Option) && item.Section != DumpSections.Heap))
                result.AddError(
                    "two dumps are compared by type; the other options apply to one dump",
                    "leave out the other options, or name one dump"
                );
            if (result.GetValue(arguments.Format) == ReportFormat.Csv && chosen > 1)
                result.AddError("a CSV file has one table", "choose one of --exceptions, --threads, --heap, --locks, --roots, --modules");
        });
        command.SetAction(parsed =>
        {
            if (parsed.GetValue(watched) is not { } folder)
                return DumpWatch.Run(parsed, () => Read(parsed, null));
            using var steps = new WatchedSteps(folder);
            return Read(parsed, steps);
        });
        return command;

        int Read(ParseResult parsed, WatchedSteps? steps) =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                {
                    var files = paths.Select(path => DumpFiles.Find(path, parsed.GetValue(number))).ToList();
                    var rows = TopOption.Rows(parsed.GetValue(top), format, RowsForPeople);
                    if (files is [var before, var after])
                        return DumpDiffReport.Print(
                            before.Path,
                            after.Path,
                            rows,
                            parsed.GetValue(library),
                            format,
                            output,
                            steps?.Stages,
                            steps?.Progress
                        );
                    var chosen = s_sections
                        .Where(item => parsed.GetValue(item.Option))
                        .Aggregate(DumpSections.None, (all, item) => all | item.Section);
                    var query = new DumpQuery(
                        chosen == DumpSections.None
                            ? format == ReportFormat.Csv
                                ? DumpSections.Exceptions
                                : DumpSections.Default
                            : chosen
                    )
                    {
                        DebuggingLibrary = parsed.GetValue(library),
                        RootTime = TimeSpan.FromSeconds(parsed.GetValue(limit)),
                    };
                    return DumpReport.Print(
                        files[0].Path,
                        new DumpView(query, rows, (chosen & DumpSections.Threads) != 0) { Origin = files[0].Origin },
                        format,
                        output,
                        steps?.Stages,
                        steps?.Progress
                    );
                }
            );
    }
}
