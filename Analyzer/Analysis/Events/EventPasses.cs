using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Reads the events of each process that has matching runs and recorded such events: what all reports on events begin with.</summary>
/// <param name="processes">Processes with their sources.</param>
/// <param name="runs">Their runs.</param>
/// <param name="filter">Which runs count.</param>
/// <param name="symbols">Symbols of the processes.</param>
internal sealed class EventPasses(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, RunFilter filter, SymbolReading symbols)
{
    private readonly List<TracedProcess> _read = [];
    private readonly List<string> _problems = [];

    /// <summary>What names the methods; null where nothing does.</summary>
    private SymbolReading? _named;

    /// <summary>Rows that the runs belong to.</summary>
    public Interner<SummaryKey> Groups { get; } = new();

    /// <summary>Runs that count and whose events were read.</summary>
    public IReadOnlyList<Run> Runs => [.. runs.Where(run => filter.Matches(run) && _read.Exists(process => process.Key == run.Process))];

    /// <summary>The processes whose events are to be read. Reads their symbols, all in one pass over each file, unless they were read before.</summary>
    /// <param name="anyOf">Kinds of events of which a process must have one.</param>
    /// <param name="expected">What they are called.</param>
    /// <param name="advice">What to do without them.</param>
    /// <param name="withStacks">Whether stacks of the events name methods and threads; false where neither is named.</param>
    /// <param name="switchStacks">Kinds of events whose stacks name them, too.</param>
    /// <exception cref="NoRunMatchesException">The filter leaves no run over.</exception>
    /// <exception cref="NotRecordedException">No process has such events.</exception>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public IReadOnlyList<EventScope> Scopes(EventKinds anyOf, string expected, string advice, bool withStacks, EventKinds switchStacks = EventKinds.None)
    {
        _ = NoRunMatchesException.Chosen(filter, runs);
        foreach (var process in processes.Where(process => runs.Any(run => run.Process == process.Key && filter.Matches(run))))
        {
            if ((process.Kinds & anyOf) == 0)
            {
                _problems.Add($"{expected} of {process.Key} were not recorded");
                continue;
            }

            _read.Add(process);
            if (withStacks && (process.Details & EventDetails.Stacks) == 0 && (process.Kinds & switchStacks) == 0)
                _problems.Add($"stacks of {process.Key} are not available: its trace has none, or this version of TraceEvent does not give them");
            else if (withStacks && ProcessSymbols.Problem(process) is { } problem)
                _problems.Add(problem);
        }

        if (_read.Count == 0)
            throw new NotRecordedException(expected, advice);
        if (withStacks)
        {
            TraceReading.Read(_read.SelectMany(symbols.Requests));
            _problems.AddRange(_read.Select(process => symbols.Of(process).InlineTreeProblem).OfType<string>());
            _named = symbols;
        }

        return [.. _read.Select(process => new EventScope(process, runs.Where(run => run.Process == process.Key), filter, Groups, withStacks ? symbols.Of(process) : null))];
    }

    /// <summary>Puts the result together.</summary>
    /// <param name="rows">All rows, in their order.</param>
    /// <param name="top">Most rows shown, null for all.</param>
    public EventResult<T> Result<T>(IReadOnlyList<T> rows, int? top) => new()
    {
        Rows = top is { } most && most < rows.Count ? [.. rows.Take(most)] : rows,
        AllRows = rows,
        RowsTotal = rows.Count,
        Runs = Runs.Count,
        Processes = [.. _read.Select(process => process.Title)],
        Problems = [.. _problems, .. _named?.Problems ?? []],
    };
}
