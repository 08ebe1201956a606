using System.Globalization;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Exceptions;

/// <summary>Exceptions thrown in the runs, by type, message pattern and throwing method.</summary>
public static class ExceptionAnalysis
{
    /// <summary>Maximum number of distinct message patterns.</summary>
    private const int MaxPatterns = 10_000;
    private const string OtherPatterns = "(other messages)";

    /// <summary>Analyzes in one pass per process.</summary>
    /// <inheritdoc cref="EventPasses.Scopes"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">The query.</param>
    /// <param name="files">Symbols of libraries.</param>
    /// <param name="recordings">Recordings whose dumps are matched with throws.</param>
    /// <param name="grouping">Grouping of the rows.</param>
    public static ExceptionResult Run(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        SymbolFiles files,
        IReadOnlyList<InputRecording>? recordings = null,
        ExceptionGrouping grouping = ExceptionGrouping.Method
    ) =>
        Begin(processes, runs, query, new SymbolReading(files, withLines: grouping == ExceptionGrouping.Line), recordings, grouping).Read();

    /// <summary>Subscribers of <see cref="Run"/>, for reports that share a pass.</summary>
    internal static EventReading<ExceptionResult> Begin(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        SymbolReading symbols,
        IReadOnlyList<InputRecording>? recordings = null,
        ExceptionGrouping grouping = ExceptionGrouping.Method
    )
    {
        ArgumentNullException.ThrowIfNull(query);
        var passes = new EventPasses(processes, runs, query.Filter, symbols);
        var tables = new Tables(passes.Groups, byLine: grouping == ExceptionGrouping.Line);
        var scopes = passes.Scopes(
            EventKinds.Exceptions,
            "exceptions",
            "record session 'clr' (esp-record does so unless --sessions leaves it out); a trace file without exceptions may simply lack these events",
            withStacks: true
        );
        var read = scopes.Select(scope => new Pass(scope, tables, recordings ?? [], grouping)).ToList();
        var requests = read.SelectMany(pass => pass.Scope.Process.Requests(pass));
        return new EventReading<ExceptionResult>([.. requests], _ => Result(passes, tables, read, query, grouping));
    }

    private static ExceptionResult Result(EventPasses passes, Tables tables, List<Pass> read, EventQuery query, ExceptionGrouping grouping)
    {
        var runs = passes.Runs.GroupBy(SummaryKey.Of).ToDictionary(group => group.Key, group => group.Count());
        var dumps = read.SelectMany(pass => pass.Dumps.Found).ToLookup(found => found.Where, found => found.Dump.File);
        var made = tables
            .Rows.All.Select(row =>
                (Row: tables.Row(row.Runs, row.Key, row.Tally, runs.GetValueOrDefault(row.Runs, 1), [.. dumps[row.Tally]]), row.Tally)
            )
            .OrderByDescending(item => item.Row.Count)
            .ThenBy(item => item.Row.Runs.ToString(), StringComparer.Ordinal)
            .ThenBy(item => item.Row.Type, StringComparer.Ordinal)
            .ThenBy(item => item.Row.Method?.Name, StringComparer.Ordinal)
            .ThenBy(item => item.Row.Method?.Line?.Line)
            .ThenBy(item => item.Row.HResult)
            .ThenBy(item => item.Row.Pattern, StringComparer.Ordinal)
            .ThenBy(item => item.Row.Process?.ProcessId)
            .ThenBy(item => item.Row.RunId)
            .ToList();
        var rows = passes.Result(made.ConvertAll(item => item.Row), query.Top);
        return new ExceptionResult(rows with { Problems = [.. rows.Problems, .. tables.Problems] })
        {
            Grouping = grouping,
            Stacks =
            [
                .. made.SelectMany(
                        (item, number) =>
                            item
                                .Tally.Stacks.Where(stack => stack.Key >= 0)
                                .Select(stack => (item.Row, Number: number, Stack: stack.Key, Count: stack.Value))
                    )
                    .OrderByDescending(item => item.Count)
                    .ThenBy(item => item.Number)
                    .ThenBy(item => item.Stack)
                    .Select(item => new ThrowPath(item.Row, item.Count, tables.Stacks.Frames(item.Stack)!)),
            ],
        };
    }

    /// <summary>Key of a row.</summary>
    /// <param name="Type">Index of the type.</param>
    /// <param name="Pattern">Index of the message pattern.</param>
    /// <param name="Method">Index of the throwing method.</param>
    /// <param name="HResult">Their HRESULT.</param>
    /// <param name="Run">Their run; default for rows of several runs.</param>
    private readonly record struct Key(int Type, int Pattern, int Method, int? HResult, (ProcessKey Process, int RunId) Run);

    private sealed class Tally
    {
        public long Count { get; set; }

        public long Rethrown { get; set; }

        public string Message { get; set; } = "";

        public EventInterval? First { get; set; }

        /// <summary>Index of the method below which the first one was thrown.</summary>
        public int Caller { get; set; } = MethodInterner.None;

        public long InBase64Read { get; set; }

        public long InContractRead { get; set; }

        /// <summary>Number of throws by stack index in <see cref="StackTable"/>.</summary>
        public Dictionary<int, long> Stacks { get; } = [];
    }

    /// <summary>Rows of all processes, and their indexes.</summary>
    private sealed class Tables(Interner<SummaryKey> groups, bool byLine)
    {
        public NameIndex Types { get; } = new();

        public NameIndex Patterns { get; } = new();

        public MethodInterner Methods { get; } = new(byLine);

        public StackTable Stacks { get; } = new();

        public EventRows<Key, Tally> Rows { get; } = new(groups);

        /// <summary>Limits that were exceeded.</summary>
        public IEnumerable<string> Problems
        {
            get
            {
                if (Patterns.Count > MaxPatterns)
                    yield return string.Create(
                        CultureInfo.InvariantCulture,
                        $"messages have more than {MaxPatterns:N0} patterns; the row '{OtherPatterns}' holds the rest"
                    );
                if (Stacks.Dropped > 0)
                    yield return string.Create(
                        CultureInfo.InvariantCulture,
                        $"throw stacks of {Plural.Of(Stacks.Dropped, "exception", "N0")} were dropped: too many different stacks"
                    );
            }
        }

        /// <summary>Creates a row.</summary>
        public ExceptionRow Row(SummaryKey runs, Key key, Tally tally, int ofRuns, IReadOnlyList<string> dumps) =>
            new()
            {
                Runs = runs,
                Process = key.Run.RunId > 0 ? key.Run.Process : null,
                RunId = key.Run.RunId > 0 ? key.Run.RunId : null,
                Type = Types[key.Type] is { Length: > 0 } type ? type : null,
                Pattern = Patterns[key.Pattern],
                Method = Methods[key.Method],
                Count = tally.Count,
                PerRun = key.Run.RunId > 0 ? tally.Count : (double)tally.Count / ofRuns,
                Rethrown = tally.Rethrown,
                HResult = key.HResult,
                Message = tally.Message,
                First = tally.First,
                Caller = Methods[tally.Caller] is { } caller && caller != Methods[key.Method] ? caller : null,
                InBase64Read = tally.InBase64Read,
                InContractRead = tally.InContractRead,
                Stacks = tally.Stacks.Keys.All(stack => stack >= 0) ? tally.Stacks.Count : null,
                Dumps = dumps,
            };
    }

    private sealed class Pass : IEventSubscriber
    {
        private readonly Tables _tables;
        private readonly bool _byRun;
        private readonly MessagePattern _pattern = new();
        private readonly SampleStack _stack;
        private readonly StackNames _names;
        private readonly StackPaths _paths;
        private readonly StackNames _callers;
        private readonly StackMatcher _base64Reads;
        private readonly StackMatcher _contractReads;

        public Pass(EventScope scope, Tables tables, IReadOnlyList<InputRecording> recordings, ExceptionGrouping grouping)
        {
            Scope = scope;
            Dumps = new ThrowDumps<Tally>(scope.Process, scope.Clock, recordings);
            (_tables, _byRun) = (tables, grouping == ExceptionGrouping.Run);
            var resolver = scope.Symbols!.Resolver;
            _stack = new SampleStack(resolver);
            _names = new StackNames(resolver, tables.Methods, RuntimeFrames.IsThrowing);
            _paths = new StackPaths(resolver, tables.Stacks);
            _callers = new StackNames(resolver, tables.Methods, symbol => !KnownFrames.IsProgram(symbol));
            _base64Reads = new StackMatcher(resolver, KnownFrames.IsBase64Read);
            _contractReads = new StackMatcher(resolver, KnownFrames.IsContractRead);
        }

        public EventScope Scope { get; }

        public ThrowDumps<Tally> Dumps { get; }

        /// <inheritdoc />
        public void Subscribe(EventHub hub) => hub.Subscribe<ExceptionThrown>(OnExceptionThrown, withStack: true);

        private void OnExceptionThrown(in ExceptionThrown exception)
        {
            var group = Scope.GroupAt(exception.At);
            var tally = group >= 0 ? Count(exception, group) : null;
            if (!Dumps.IsEmpty)
                Dumps.Note(exception, tally);
        }

        private Tally Count(in ExceptionThrown exception, int group)
        {
            var time = exception.At.Time;
            _stack.Walk(exception.Stack, exception.At, hasFaulted: RuntimeFrames.IsFault(exception.Type));
            var stack = _stack.Symbols;
            var run = _byRun ? (Scope.Process.Key, Scope.RunOf(Scope.Windows.At(time, exception.At.ThreadId)!).RunId) : default;
            var pattern = _tables.Patterns.GetOrAdd(_pattern.Of(exception.Message), MaxPatterns, OtherPatterns);
            var tally = _tables.Rows.At(
                group,
                new Key(_tables.Types.GetOrAdd(exception.Type), pattern, _names.Find(stack), exception.HResult, run)
            );
            if (tally.Count++ == 0)
            {
                tally.Message = exception.Message.ToString();
                tally.First = Scope.IntervalAt(exception.At);
                tally.Caller = _callers.FindOnly(stack);
            }

            var number = _paths.GetOrAdd(stack);
            tally.Stacks[number] = tally.Stacks.GetValueOrDefault(number) + 1;
            if (_base64Reads.IsOn(stack))
                tally.InBase64Read++;
            if (_contractReads.IsOn(stack))
                tally.InContractRead++;
            if (exception.IsRethrown)
                tally.Rethrown++;
            return tally;
        }
    }
}
