using System.IO.Enumeration;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>Names the serializer of a run by the method with which most of its samples entered one: the outermost frame that a pattern knows.</summary>
/// <param name="patterns">Patterns of modules (<c>Newtonsoft.Json.*</c>) and of full method names (* stands for any text), and the serializer; of several that match the first one counts.</param>
/// <param name="files">Symbols of libraries.</param>
public sealed class EntryPatternNamer(IReadOnlyList<(string Module, string Method, string Serializer)> patterns, SymbolFiles files) : IRunNamer
{
    private readonly List<(TracedProcess Process, ManagedCodeMap Methods, ProcessLayout Layout)> _processes = [];

    /// <summary>By process and begin of the run: samples of each pattern.</summary>
    private readonly Dictionary<(int Process, long Start), long[]> _counts = [];

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Prepare(IReadOnlyList<TracedProcess> processes)
    {
        ArgumentNullException.ThrowIfNull(processes);
        foreach (var process in processes)
        {
            var (methods, layout) = (new ManagedCodeMap(), new ProcessLayout());
            _processes.Add((process, methods, layout));
            foreach (var request in process.Requests(methods, TraceCapabilities.MethodCode).Concat(process.Requests(layout, TraceCapabilities.ProcessLayout)))
                yield return request;
        }
    }

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Begin(IReadOnlyList<Run> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        foreach (var (process, methods, layout) in _processes)
        {
            var own = runs.Where(run => run.ProcessId == process.ProcessId && run.Identity.Serializer.Length == 0).OrderBy(run => run.StartTicks).ToList();
            if (own.Count == 0)
                continue;
            var counts = own.ConvertAll(run => _counts[(run.ProcessId, run.StartTicks)] = new long[patterns.Count]);
            var entries = new Entries(new RunWindows(own.Select(run => (run.StartTicks, run.StopTicks))), counts, new SymbolResolver(process.ProcessId, methods, layout, files), PatternOf);
            foreach (var request in process.Requests(entries, TraceCapabilities.CpuSamples))
                yield return request;
        }
    }

    /// <inheritdoc />
    public string SerializerOf(Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        if (!_counts.TryGetValue((run.ProcessId, run.StartTicks), out var counts))
            return "";
        var most = Array.IndexOf(counts, counts.DefaultIfEmpty().Max());
        return most >= 0 && counts[most] > 0 ? patterns[most].Serializer : "";
    }

    /// <summary>The first pattern that knows a symbol; -1 when none does.</summary>
    private int PatternOf(CodeSymbol symbol)
    {
        for (var i = 0; i < patterns.Count; i++)
        {
            if (symbol.IsNamed && FileSystemName.MatchesSimpleExpression(patterns[i].Module, symbol.Module, ignoreCase: true) && FileSystemName.MatchesSimpleExpression(patterns[i].Method, symbol.Name, ignoreCase: false))
                return i;
        }

        return -1;
    }

    /// <summary>Counts the entries of one process's samples.</summary>
    private sealed class Entries(RunWindows windows, List<long[]> counts, SymbolResolver resolver, Func<CodeSymbol, int> patternOf) : TraceVisitor
    {
        private readonly SampleStack _stack = new(resolver);

        /// <summary>By number of the symbol: its pattern.</summary>
        private readonly List<int> _patterns = [];

        public override void OnCpuSample(in CpuSample sample)
        {
            if (windows.IndexAt(sample.At.Time) is not (var run and >= 0))
                return;
            _stack.Walk(sample);
            for (var i = _stack.Symbols.Length - 1; i >= 0; i--)
            {
                var symbol = _stack.Symbols[i];
                while (_patterns.Count <= symbol)
                    _patterns.Add(patternOf(resolver.Symbols[_patterns.Count]));
                if (_patterns[symbol] < 0)
                    continue;
                counts[run][_patterns[symbol]]++;
                return;
            }
        }
    }
}
