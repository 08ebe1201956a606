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

/// <summary><c>esp-analyze alloc|exceptions|locks|jit|waits|requests|gc</c>: what happened in the runs besides computing, one table each.</summary>
internal static class EventCommands
{
    /// <summary>Rows for people unless --top says otherwise; programs get all.</summary>
    private const int RowsForPeople = 30;

    private static readonly Dictionary<string, (string, string)[]> s_examples = new()
    {
        ["alloc"] =
        [
            ("esp-analyze alloc recordings/r1", "Which types does each serializer allocate?"),
            ("esp-analyze alloc recordings/r1 --by method --serializer Newtonsoft.Json", "Where does one of them allocate?"),
            ("esp-analyze alloc recordings/r1 --by own", "Which methods of your own program lead to allocation?"),
            ("esp-analyze alloc recordings/r1 --by stack --top 3", "With which stacks is most allocated?"),
        ],
        ["exceptions"] =
        [
            ("esp-analyze exceptions recordings/r1", "Which exceptions are thrown in the runs, and by what?"),
            ("esp-analyze exceptions recordings/r1 --stacks 3", "With the three most frequent stacks in full."),
        ],
        ["locks"] =
        [
            ("esp-analyze locks recordings/r1", "Which locks do threads wait for, and who has them?"),
            ("esp-analyze locks recordings/r1 --by method", "Which methods wait how long, all threads and locks together?"),
            ("esp-analyze locks recordings/r1 -f json", "All waits for a program."),
        ],
        ["jit"] =
        [
            ("esp-analyze jit recordings/r1", "What is compiled within the runs, and how long does it take?"),
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
            ("esp-analyze gc recordings/r1", "Which collections fell into the runs, and how long did they pause them?"),
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
        yield return Create("requests", "HTTP requests that a program served (ASP.NET Core) or sent (HttpClient), by route, those that took most time first.", EventReportPrinter.PrintRequests);
        yield return Gcs();
    }

    private static Command Gcs()
    {
        var by = new Option<GcGrouping>("--by") { Description = "What a row stands for: a collection, or, beside reason, generation, serializer and test, the method or the stack that triggered collections.", HelpName = "collection|method|stack", DefaultValueFactory = _ => GcGrouping.Collection }.ByName();
        return Create(
            "gc", "Collections in the runs one by one, with their pauses and the heap's size (--kind all: also those outside of runs), or by what triggered them; when several processes were paused at once.",
            (parsed, paths, query, format, output, pdbs) => EventReportPrinter.PrintCollections(paths, query, format, output, pdbs, parsed.GetValue(by)), by);
    }

    private static Command Waits()
    {
        var by = new Option<WaitGrouping>("--by") { Description = "What a row stands for: a method that waits and the reason, the source line of the program's own method, a reason, a thread with all its time, or a stack.", HelpName = "method|line|reason|thread|stack", DefaultValueFactory = _ => WaitGrouping.Method }.ByName();
        return Create(
            "waits", "Where threads waited, and for what: all threads of a program without marks, else the measuring threads in their runs.",
            (parsed, paths, query, format, output, pdbs) => EventReportPrinter.PrintWaits(paths, query, format, output, pdbs, parsed.GetValue(by)), by);
    }

    private static Command Locks()
    {
        var by = new Option<LockGrouping>("--by") { Description = "What a row stands for, beside serializer and test: a lock with the thread that had it and the method that waited, or all waits of a method or of its source lines, with their share of the waiting threads' time.", HelpName = "lock|method|line", DefaultValueFactory = _ => LockGrouping.Lock }.ByName();
        return Create(
            "locks", "Waits for managed locks in the runs, by lock, by the thread that had it and by the method that waited, or summed up by that method.",
            (parsed, paths, query, format, output, pdbs) => EventReportPrinter.PrintLocks(paths, query, format, output, pdbs, parsed.GetValue(by)), by);
    }

    private static Command Allocations()
    {
        var by = new Option<AllocationGrouping>("--by") { Description = "What a row stands for, beside serializer and test.", HelpName = "type|method|own|line|stack|serializer", DefaultValueFactory = _ => AllocationGrouping.Type }.ByName();
        return Create(
            "alloc", "What the runs allocated, by type, by the method that allocates, by the program's own method or source line that leads to it (own, line), by its stack or as a whole: estimated from sampled allocations or allocation ticks.",
            (parsed, paths, query, format, output, pdbs) => EventReportPrinter.PrintAllocations(paths, query, parsed.GetValue(by), format, output, pdbs), by);
    }

    private static Command Exceptions()
    {
        var by = new Option<ExceptionGrouping>("--by") { Description = "What a row stands for, beside type, message pattern and method: all runs of a serializer and test, with the source line of the throw, or each run.", HelpName = "method|line|run", DefaultValueFactory = _ => ExceptionGrouping.Method }.ByName();
        var stacks = new Option<int?>("--stacks") { Description = "Show the N most frequent throw stacks in full (JSON has all).", HelpName = "N" };
        stacks.Validators.Add(result =>
        {
            if (result.Has<int?>(value => value is < 1))
                result.AddError($"{result.Tokens[0].Value} stacks cannot be shown", "choose 1 or more");
        });
        return Create(
            "exceptions", "Exceptions thrown in the runs, by type, by what their messages have in common and by the method that threw them.",
            (parsed, paths, query, format, output, pdbs) => EventReportPrinter.PrintExceptions(paths, query, format, output, pdbs, parsed.GetValue(by), parsed.GetValue(stacks)), by, stacks);
    }

    private static Command Create(string name, string description, Func<IReadOnlyList<string>, EventQuery, ReportFormat, TextWriter, PdbFiles?, AnalysisResult> print) =>
        Create(name, description, (_, paths, query, format, output, pdbs) => print(paths, query, format, output, pdbs));

    private static Command Create(string name, string description, Func<ParseResult, IReadOnlyList<string>, EventQuery, ReportFormat, TextWriter, PdbFiles?, AnalysisResult> print, params Option[] more)
    {
        var command = new Command(name, description);
        command.WithExamples(s_examples[name]);
        var arguments = new AnalyzeArguments();
        var runs = new RunFilterOptions();
        var symbols = new SymbolsOption();
        var top = TopOption.Create(RowsForPeople);
        arguments.AddTo(command);
        foreach (var option in more)
            command.Options.Add(option);
        runs.AddTo(command);
        symbols.AddTo(command);
        command.Options.Add(top);
        command.SetAction(parsed => ReportAction.Run(parsed, arguments, (paths, format, output) =>
            print(parsed, paths, new EventQuery(runs.Filter(parsed), TopOption.Rows(parsed.GetValue(top), format, RowsForPeople)), format, output, symbols.Files(parsed))));
        return command;
    }
}
