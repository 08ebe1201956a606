using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Exceptions;

/// <summary>Exceptions thrown in the runs, by type and by the method that threw them.</summary>
public static class ExceptionAnalysis
{
    /// <summary>Analyses them in a pass over each process.</summary>
    /// <inheritdoc cref="EventPasses.Scopes"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">What is asked.</param>
    /// <param name="files">Symbols of libraries.</param>
    public static EventResult<ExceptionRow> Run(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, EventQuery query, SymbolFiles files) =>
        Begin(processes, runs, query, new SymbolReading(files)).Read();

    /// <summary>What <see cref="Run"/> hears, for reports that are read together.</summary>
    internal static EventReading<EventResult<ExceptionRow>> Begin(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, EventQuery query, SymbolReading symbols)
    {
        ArgumentNullException.ThrowIfNull(query);
        var passes = new EventPasses(processes, runs, query.Filter, symbols);
        var types = new NameTable();
        var methods = new MethodTable();
        var rows = new EventRows<Key, Tally>(passes.Groups);
        var scopes = passes.Scopes(
            TraceCapabilities.Exceptions, "exceptions", "record session 'clr' (esp-record does so unless --sessions leaves it out); a bare file without a single exception says nothing", TraceCapabilities.Stacks);
        var requests = scopes.SelectMany(scope => scope.Process.Requests(new Pass(scope, rows, types, methods), TraceCapabilities.Exceptions | TraceCapabilities.Stacks));
        return new EventReading<EventResult<ExceptionRow>>([.. requests], _ => passes.Result(
            [
                .. rows.All.Select(row => new ExceptionRow
                {
                    Runs = row.Runs,
                    Type = types[row.Key.Type] is { Length: > 0 } type ? type : null,
                    Method = methods[row.Key.Method],
                    Count = row.Tally.Count,
                    Rethrown = row.Tally.Rethrown,
                    HResult = row.Key.HResult,
                    Message = row.Tally.Message,
                    First = row.Tally.First,
                    Caller = methods[row.Tally.Caller] is { } caller && caller != methods[row.Key.Method] ? caller : null,
                    InBase64Read = row.Tally.InBase64Read,
                    InContractRead = row.Tally.InContractRead,
                }).OrderByDescending(row => row.Count).ThenBy(row => row.Runs.ToString(), StringComparer.Ordinal).ThenBy(row => row.Type, StringComparer.Ordinal)
                    .ThenBy(row => row.Method?.Name, StringComparer.Ordinal).ThenBy(row => row.HResult),
            ],
            query.Top));
    }

    private readonly record struct Key(int Type, int Method, int? HResult);

    private sealed class Tally
    {
        public long Count { get; set; }

        public long Rethrown { get; set; }

        public string Message { get; set; } = "";

        public EventPlace? First { get; set; }

        /// <summary>Number of the method that the first one was thrown below.</summary>
        public int Caller { get; set; } = MethodTable.None;

        public long InBase64Read { get; set; }

        public long InContractRead { get; set; }
    }

    private sealed class Pass(EventScope scope, EventRows<Key, Tally> rows, NameTable types, MethodTable methods) : TraceVisitor
    {
        private readonly StackNames _names = new(scope.Symbols!.Resolver, methods, RuntimeFrames.IsThrowing);
        private readonly StackNames _callers = new(scope.Symbols!.Resolver, methods, symbol => !KnownFrames.IsProgram(symbol));
        private readonly StackSign _base64Reads = new(scope.Symbols!.Resolver, KnownFrames.IsBase64Read);
        private readonly StackSign _contractReads = new(scope.Symbols!.Resolver, KnownFrames.IsContractRead);

        public override void OnExceptionThrown(in ExceptionThrown exception)
        {
            if (scope.GroupAt(exception.At.Time) is not (>= 0 and var group))
                return;
            var tally = rows.At(group, new Key(types.NumberOf(exception.Type), _names.Find(exception.Stack, exception.At.Time), exception.HResult));
            if (tally.Count++ == 0)
            {
                tally.Message = exception.Message.ToString();
                tally.First = scope.PlaceAt(exception.At.Time);
                tally.Caller = _callers.FindOnly(exception.Stack, exception.At.Time);
            }

            if (_base64Reads.IsOn(exception.Stack, exception.At.Time))
                tally.InBase64Read++;
            if (_contractReads.IsOn(exception.Stack, exception.At.Time))
                tally.InContractRead++;
            if (exception.IsRethrown)
                tally.Rethrown++;
        }
    }
}
