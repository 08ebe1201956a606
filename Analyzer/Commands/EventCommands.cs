using System.CommandLine;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze alloc|exceptions|locks|jit|waits|requests|gc</c>: events in the runs, one table per command.</summary>
internal static class EventCommands
{
    /// <summary>Default of --top for text output; CSV and JSON have all rows.</summary>
    private const int RowsForPeople = 30;

    private static readonly Dictionary<string, (string, string)[]> s_examples = new()
    {
        ["alloc"] =
        [
            ("esp-analyze alloc recordings/r1", "Which types does each serializer allocate?"),
            ("esp-analyze alloc recordings/r1 --by method --serializer Newtonsoft.Json", "Where does one of them allocate?"),
            ("esp-analyze alloc recordings/r1 --by own", "Which methods of your own program lead to allocation?"),
            ("esp-analyze alloc recordings/r1 --by stack --top 3", "Which stacks allocate most?"),
        ],
        ["exceptions"] =
        [
            ("esp-analyze exceptions recordings/r1", "Which exceptions are thrown in the runs, and where?"),
            ("esp-analyze exceptions recordings/r1 --stacks 3", "With the three most frequent stacks in full."),
        ],
        ["locks"] =
        [
            ("esp-analyze locks recordings/r1", "Which locks do threads wait for, and which threads own them?"),
            ("esp-analyze locks recordings/r1 --by method", "How long does each method wait, over all threads and locks?"),
            ("esp-analyze locks recordings/r1 -f json", "All waits for a program."),
        ],
        ["jit"] =
        [
            ("esp-analyze jit recordings/r1", "Which methods are compiled within the runs, and how long does it take?"),
            ("esp-analyze jit recordings/r1 --kind all --top 100", "Also in warm-ups and first calls."),
        ],
        ["waits"] =
        [
            ("esp-analyze waits recordings/r1", "In which methods do threads wait, and for what?"),
            ("esp-analyze waits recordings/r1 --by thread", "How long did each thread run, wait, and wait for work?"),
            ("esp-analyze waits recordings/r1 --run 12", "The same in one run."),
        ],
        ["requests"] =
        [
            ("esp-analyze requests recordings/r1", "Which routes are slow, and which requests fail?"),
            ("esp-analyze requests recordings/r1 -f csv", "All routes for a spreadsheet."),
        ],
        ["gc"] =
        [
            ("esp-analyze gc recordings/r1", "Which GCs were in the runs, and how long were their pauses?"),
            ("esp-analyze gc recordings/r1 --by method", "Which methods triggered them, and why?"),
            ("esp-analyze gc recordings/r1 --kind all", "Also those outside of runs."),
        ],
    };

    public static IEnumerable<Command> Create()
    {
        yield return Allocations();
        yield return Exceptions();
        yield return Locks();
        yield return Create("jit", "JIT compilations in the runs, by method and tier.", EventReportPrinter.PrintCompilations);
        yield return Waits();
        yield return Create(
            "requests",
            "HTTP requests that a program served (ASP.NET Core) or sent (HttpClient), by route, the most total time first.",
            EventReportPrinter.PrintRequests
        );
        yield return Gcs();
    }

    private static Command Gcs()
    {
        var by = new Option<GcGrouping>("--by")
        {
            Description = "What each row is: a GC; or the method or stack that triggered GCs, by reason, generation, serializer and test.",
            HelpName = "gc|method|stack",
            DefaultValueFactory = _ => GcGrouping.Gc,
        }.ByName();
        return Create(
            "gc",
            "Lists the GCs in the runs with their pauses and heap sizes (--kind all: also outside of runs), or groups them by trigger. Shows when several processes paused at once.",
            (parsed, paths, query, format, output, pdbs) =>
                EventReportPrinter.PrintGcs(paths, query, format, output, pdbs, parsed.GetValue(by)),
            by
        );
    }

    private static Command Waits()
    {
        var by = new Option<WaitGrouping>("--by")
        {
            Description =
                "What each row is: a waiting method with the reason, the source line in the program's own method, a reason, a thread with all its time, or a stack.",
            HelpName = "method|line|reason|thread|stack",
            DefaultValueFactory = _ => WaitGrouping.Method,
        }.ByName();
        return Create(
            "waits",
            "Shows where threads waited, and for what: all threads of a program without marks, else the measuring threads in their runs.",
            (parsed, paths, query, format, output, pdbs) =>
                EventReportPrinter.PrintWaits(paths, query, format, output, pdbs, parsed.GetValue(by)),
            by
        );
    }

    private static Command Locks()
    {
        var by = new Option<LockGrouping>("--by")
        {
            Description =
                "What each row is, per serializer and test: a lock with its owner thread and the waiting method; or all waits of a method or source line, with their share of the waiting threads' time.",
            HelpName = "lock|method|line",
            DefaultValueFactory = _ => LockGrouping.Lock,
        }.ByName();
        return Create(
            "locks",
            "Shows waits for managed locks in the runs, by lock, owner thread and waiting method, or summed by method.",
            (parsed, paths, query, format, output, pdbs) =>
                EventReportPrinter.PrintLocks(paths, query, format, output, pdbs, parsed.GetValue(by)),
            by
        );
    }

    private static Command Allocations()
    {
        var by = new Option<AllocationGrouping>("--by")
        {
            Description = "What each row is, per serializer and test.",
            HelpName = "type|method|own|line|stack|serializer",
            DefaultValueFactory = _ => AllocationGrouping.Type,
        }.ByName();
        return Create(
            "alloc",
            "Shows what the runs allocated: by type, by allocating method, by the program's own method or source line that leads to it (own, line), by stack, or in total. Estimated from sampled allocations or allocation ticks.",
            (parsed, paths, query, format, output, pdbs) =>
                EventReportPrinter.PrintAllocations(paths, query, parsed.GetValue(by), format, output, pdbs),
            by
        );
    }

    private static Command Exceptions()
    {
        var by = new Option<ExceptionGrouping>("--by")
        {
            Description =
                "What each row is, per type, message pattern and method: all runs of a serializer and test, the source line of the throw, or each run.",
            HelpName = "method|line|run",
            DefaultValueFactory = _ => ExceptionGrouping.Method,
        }.ByName();
        var stacks = new Option<int?>("--stacks")
        {
            Description = "Show the N most frequent throw stacks in full (JSON has all).",
            HelpName = "N",
        };
        stacks.Validators.Add(result =>
        {
            if (result.Has<int?>(value => value is < 1))
                result.AddError($"{result.Tokens[0].Value} stacks cannot be shown", "choose 1 or more");
        });
        return Create(
            "exceptions",
            "Shows exceptions thrown in the runs, by type, message pattern and throwing method.",
            (parsed, paths, query, format, output, pdbs) =>
                EventReportPrinter.PrintExceptions(paths, query, format, output, pdbs, parsed.GetValue(by), parsed.GetValue(stacks)),
            by,
            stacks
        );
    }

    private static Command Create(
        string name,
        string description,
        Func<IReadOnlyList<string>, EventQuery, ReportFormat, TextWriter, PdbFiles?, AnalysisResult> print
    ) => Create(name, description, (_, paths, query, format, output, pdbs) => print(paths, query, format, output, pdbs));

    private static Command Create(
        string name,
        string description,
        Func<ParseResult, IReadOnlyList<string>, EventQuery, ReportFormat, TextWriter, PdbFiles?, AnalysisResult> print,
        params Option[] more
    )
    {
        var command = new Command(name, description);
        command.WithExamples(s_examples[name]);
        var arguments = new AnalyzeArguments(myCode: name == "alloc");
        var runs = new RunFilterOptions();
        var symbols = new SymbolsOption();
        var top = TopOption.Create(RowsForPeople);
        arguments.AddTo(command);
        foreach (var option in more)
            command.Options.Add(option);
        runs.AddTo(command);
        symbols.AddTo(command);
        command.Options.Add(top);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                    print(
                        parsed,
                        paths,
                        new EventQuery(runs.Filter(parsed), TopOption.Rows(parsed.GetValue(top), format, RowsForPeople)),
                        format,
                        output,
                        symbols.Files(parsed)
                    )
            )
        );
        return command;
    }
}
