using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>
/// Adds each CPU sample of a process to its run, by part and cause (<see cref="SampleClassifier"/>). Allocates for new symbols only.
/// </summary>
/// <param name="symbols">Symbols of the process.</param>
/// <param name="pauses">GC pauses of the process.</param>
/// <param name="ticksPerSecond">Ticks of the trace's clock in one second.</param>
/// <param name="byMethod">Whether to keep times by method, too.</param>
internal sealed class CauseAttribution(ProcessSymbols symbols, GcPauses pauses, long ticksPerSecond, bool byMethod = false)
{
    private readonly SampleClassifier _classifier = new(symbols, pauses);

    /// <summary>Adds a sample to its run.</summary>
    /// <returns>Whether its stack is broken.</returns>
    public bool Add(in CpuSample sample, RunTally run)
    {
        var found = _classifier.Classify(sample, run);
        var stack = _classifier.Stack;
        var times = run.Causes ??= new CauseTimes { TicksPerSecond = ticksPerSecond, HasEntry = run.Entries is not null };
        times.Quality += new StackQuality(
            1,
            One(stack.IsBroken),
            One(stack.IsExpanded),
            One(symbols.HasInlineTrees),
            One(stack.IsRecovered),
            One(sample.Dump.IsRecorded)
        );
        switch (found.Part)
        {
            case SamplePart.Serializer:
                AddToSerializer(sample, times, found);
                break;
            case SamplePart.GcThreads:
                times.GcThreads += sample.CpuTicks;
                break;
            case SamplePart.JitThreads:
                times.JitThreads += sample.CpuTicks;
                break;
            case SamplePart.OtherThreads:
                times.OtherThreads += sample.CpuTicks;
                break;
            case SamplePart.Broken:
                times.Broken += sample.CpuTicks;
                break;
            default:
                times.Harness += sample.CpuTicks;
                break;
        }

        return stack.IsBroken;
    }

    /// <summary>Resolves the method names of a run, after its last sample.</summary>
    public void NameMethods(CauseTimes? times)
    {
        if (times?.Symbols is not { } numbers)
            return;
        var methods = new Dictionary<CauseMethod, long>();
        foreach (var ((cause, symbol), ticks) in numbers)
            CollectionsMarshal.GetValueRefOrAddDefault(
                methods,
                new CauseMethod(cause, StackNames.Name(symbols.Resolver.Symbols[symbol])),
                out _
            ) += ticks;
        (times.Methods, times.Symbols) = (methods, null);
    }

    private void AddToSerializer(in CpuSample sample, CauseTimes times, SampleClass found)
    {
        times.Add(found.Cause, sample.CpuTicks);
        if (found.IsLazyRead)
            times.LazyReads += sample.CpuTicks;
        if (byMethod)
            CollectionsMarshal.GetValueRefOrAddDefault(times.Symbols ??= [], (found.Cause, found.Symbol), out _) += sample.CpuTicks;
    }

    private static int One(bool counts) => counts ? 1 : 0;
}
