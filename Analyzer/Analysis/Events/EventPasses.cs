using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Reads the events of each process with matching runs and recorded events: the first step of all event reports.</summary>
/// <param name="processes">Processes with their sources.</param>
/// <param name="runs">Their runs.</param>
/// <param name="filter">Selects the runs.</param>
/// <param name="symbols">Symbols of the processes.</param>
internal sealed class EventPasses(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, RunFilter filter, SymbolReading symbols)
{
    private readonly List<TracedProcess> _read = [];
    private readonly List<string> _problems = [];

    /// <summary>Symbols for methods; null if not needed.</summary>
    private SymbolReading? _named;

    /// <summary>Rows of the runs.</summary>
    public Interner<SummaryKey> Groups { get; } = new();

    /// <summary>Runs that match the filter and whose events were read.</summary>
    public IReadOnlyList<Run> Runs => [.. runs.Where(run => filter.Matches(run) && _read.Exists(process => process.Key == run.Process))];

    /// <summary>Finds the processes whose events to read. Reads their symbols in one pass per file, unless already read.</summary>
    /// <param name="anyOf">Event kinds; a process must have at least one of them.</param>
    /// <param name="expected">Name of these events.</param>
    /// <param name="advice">Advice if they are missing.</param>
    /// <param name="withStacks">Whether methods and threads need names from event stacks.</param>
    /// <param name="switchStacks">Additional kinds of events whose stacks need names.</param>
    /// <exception cref="NoRunMatchesException">No run matches the filter.</exception>
    /// <exception cref="NotRecordedException">No process recorded these events.</exception>
    /// <exception cref="IOException">A file became unreadable.</exception>
    public IReadOnlyList<EventScope> Scopes(
        EventKinds anyOf,
        string expected,
        string advice,
        bool withStacks,
        EventKinds switchStacks = EventKinds.None
    )
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
                _problems.Add(
                    $"stacks of {process.Key} are not available: its trace has none, or this version of TraceEvent does not read them"
                );
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

        return
        [
            .. _read.Select(process => new EventScope(
                process,
                runs.Where(run => run.Process == process.Key),
                filter,
                Groups,
                withStacks ? symbols.Of(process) : null
            )),
        ];
    }

    /// <summary>Creates the result.</summary>
    /// <param name="rows">All rows, in their order.</param>
    /// <param name="top">Maximum number of rows to show; null for all.</param>
    public EventResult<T> Result<T>(IReadOnlyList<T> rows, int? top) =>
        new()
        {
            Rows = top is { } limit && limit < rows.Count ? [.. rows.Take(limit)] : rows,
            AllRows = rows,
            RowsTotal = rows.Count,
            Runs = Runs.Count,
            Processes = [.. _read.Select(process => process.Title)],
            Problems = [.. _problems, .. _named?.Problems ?? []],
        };
}
