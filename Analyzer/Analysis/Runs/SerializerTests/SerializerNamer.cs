using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Runs.SerializerTests;

/// <summary>
/// Finds the serializer of SerializerTests runs, and the thread that measured them: those of most samples below an entry frame of a
/// serializer (<see cref="EntryFrames"/>). It has its own pass, before everything that depends on the names. Allocates for new symbols and
/// runs, not for samples.
/// </summary>
/// <param name="windows">The runs.</param>
/// <param name="operations">Their operations; entries of other operations do not count.</param>
/// <param name="resolver">Symbols of the process.</param>
internal sealed class SerializerNamer(RunWindows windows, IReadOnlyList<string> operations, SymbolResolver resolver) : IEventSubscriber
{
    /// <summary>Serializer name of a run without such samples.</summary>
    public const string Unknown = "(unknown serializer)";

    private readonly SampleStack _stack = new(resolver);
    private readonly EntryFrames _frames = new(resolver);

    /// <summary>Counting tags by run.</summary>
    private readonly IReadOnlySet<int>?[] _entries = [.. operations.Select(SerializerEntries.Suites.OfOperation)];

    /// <summary>Samples of each entry and thread, by run.</summary>
    private readonly Dictionary<(int Tag, long Thread), long>[] _samples = [.. operations.Select(_ => new Dictionary<(int, long), long>())];

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe<CpuSample>(OnCpuSample);

    private void OnCpuSample(in CpuSample sample)
    {
        if (windows.IndexAt(sample.At.Time) is not (>= 0 and var run) || _entries[run] is not { } entries)
            return;
        _stack.Walk(sample);
        if (_frames.OutermostOf(_stack.Symbols, entries) is >= 0 and var place)
            CollectionsMarshal.GetValueRefOrAddDefault(_samples[run], (_frames.TagOf(_stack.Symbols[place]), sample.At.ThreadId), out _)++;
    }

    /// <summary>The serializer and the measuring thread of a run, by its index in time; null when no sample shows them.</summary>
    public (string Serializer, long Thread)? Of(int run)
    {
        if (_samples[run].Count == 0)
            return null;
        var most = _samples[run].GroupBy(pair => pair.Key.Tag).MaxBy(group => (group.Sum(pair => pair.Value), -group.Key))!;
        return (SerializerEntries.Suites.Entry(most.Key)!.Value.Serializer, most.MaxBy(pair => (pair.Value, -pair.Key.Thread)).Key.Thread);
    }
}
