using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>CPU time by cause. What adds up to the serializer's time are the causes themselves, which <see cref="CauseCatalog"/> declares; here is what they are parts of, and what stands beside them.</summary>
public static class CauseMeasures
{
    private const string Samples = "CPU samples, √n";
    private const string NoCauses = "no CPU samples, or no names of methods";

    /// <summary>CPU time of reflection.</summary>
    public static Measure<double> Reflection { get; } = new("reflectionMs", "ms", "0.0")
    {
        Header = "Reflection ms",
        Shown = ReportTables.Main,
        IsInTotals = false,
        Definition = "CPU time below the serializer's entry frame that reflection took ([attribution.md](attribution.md))",
        Source = Samples,
        NotRecorded = NoCauses,
        OfCauses = times => times.ToMilliseconds(times.Group(CauseCatalog.ReflectionGroup)),
    };

    /// <summary>CPU time of Activator.</summary>
    public static Measure<double> Activator { get; } = new("activatorMs", "ms", "0.0")
    {
        Header = "Activator ms",
        Shown = ReportTables.Main,
        IsInTotals = false,
        Definition = "The same for Activator and what creates objects for it",
        Source = Samples,
        NotRecorded = NoCauses,
        OfCauses = times => times.ToMilliseconds(times.Group(CauseCatalog.ActivatorGroup)),
    };

    /// <summary>Samples of the serializer.</summary>
    public static Measure<long> SamplesBelowEntry { get; } = new("samplesBelowEntry", "", "0")
    {
        Header = "Samples",
        Shown = ReportTables.Causes,
        Fields = ReportFields.Causes,
        Definition = "Samples below the serializer's entry frame",
        Source = Samples,
        NotRecorded = NoCauses,
        Stored = new("samples_below_entry", "Samples below the serializer's entry frame; null when there are no causes"),
        OfCauses = times => times.Samples,
    };

    /// <summary>Whether the entry frame is known.</summary>
    public static Measure<bool> HasEntryFrame { get; } = new("hasEntryFrame", "")
    {
        Fields = ReportFields.Causes,
        Definition = "Whether the entry frame is known; if not, all of the measuring thread counts as the serializer's",
        Source = Samples,
        NotRecorded = NoCauses,
        Stored = new("has_entry_frame", "Whether the serializer's entry frame is known"),
        OfCauses = times => times.HasEntry,
    };

    /// <summary>CPU time of the serializer.</summary>
    public static Measure<double> Serializer { get; } = new("serializerMs", "ms", "0.0")
    {
        Header = "Serializer ms",
        Shown = ReportTables.Causes,
        Fields = ReportFields.Causes,
        Definition = "CPU time of these samples",
        Source = Samples,
        NotRecorded = NoCauses,
        Stored = new("serializer_ms", null, "CPU time below the serializer's entry frame over all runs"),
        OfCauses = times => times.ToMilliseconds(times.Serializer),
    };

    /// <summary>CPU time of lazy reads.</summary>
    public static Measure<double> LazyReads { get; } = new("lazyReadMs", "ms", "0.0")
    {
        Header = "Lazy read ms",
        Shown = ReportTables.Causes,
        Fields = ReportFields.Causes,
        Definition = "Part of Serializer ms: what the serializer did when the graph that it read was touched. FlatBuffers, FlatSharp and ZeroFormatter decode members then",
        Source = Samples,
        NotRecorded = NoCauses + ", or the store was written before version 2",
        Stored = new("lazy_read_ms", "CPU time of the serializer when a graph was touched that it reads lazily; null when there are no causes", Since: 2),
        Needs = EventKinds.CpuSamples,
        Collect = run => run.Has(EventKinds.MethodCode) ? run.Milliseconds(run.Tally.Causes?.LazyReads ?? 0) : null,
    };

    /// <summary>CPU time of the serializer's own code.</summary>
    public static Measure<double> Own { get; } = new("ownMs", "ms", "0.0")
    {
        Header = "Own ms",
        Shown = ReportTables.Causes,
        Fields = ReportFields.Causes,
        Definition = "The serializer's code, and what it calls in the platform without a cause: collections, spans, memory copies",
        Source = Samples,
        NotRecorded = NoCauses,
        Stored = new("own_ms", null, "Of it, the serializer's own code"),
        OfCauses = times => times.ToMilliseconds(times.Own),
    };

    /// <summary>CPU time of the benchmark's own work.</summary>
    public static Measure<double> Harness { get; } = new("harnessMs", "ms", "0.0")
    {
        Header = "Harness ms",
        Shown = ReportTables.Causes,
        Fields = ReportFields.Causes,
        Definition = "Measuring thread, outside the entry frame",
        Source = Samples,
        NotRecorded = NoCauses,
        OfCauses = times => times.ToMilliseconds(times.Harness),
    };

    /// <summary>CPU time of broken stacks.</summary>
    public static Measure<double> Broken { get; } = new("brokenMs", "ms", "0.0")
    {
        Header = "Broken ms",
        Shown = ReportTables.Causes,
        Fields = ReportFields.Causes,
        Definition = "Measuring thread, stacks that end before an entry frame could be on them",
        Source = Samples,
        NotRecorded = NoCauses,
        OfCauses = times => times.ToMilliseconds(times.Broken),
    };

    /// <summary>CPU time of GC threads, by samples.</summary>
    public static Measure<double> GcThreads { get; } = new("gcThreadMs", "ms", "0.0")
    {
        Header = "GC threads ms",
        Shown = ReportTables.Causes,
        Fields = ReportFields.Causes,
        Definition = "Threads `.NET Server GC` and `.NET BGC`, by samples",
        Source = Samples,
        NotRecorded = NoCauses,
        OfCauses = times => times.ToMilliseconds(times.CollectorThreads),
    };

    /// <summary>CPU time of JIT threads, by samples.</summary>
    public static Measure<double> JitThreads { get; } = new("jitThreadMs", "ms", "0.0")
    {
        Header = "JIT threads ms",
        Shown = ReportTables.Causes,
        Fields = ReportFields.Causes,
        Definition = "Thread `.NET Tiered Compilation Worker`, by samples",
        Source = Samples,
        NotRecorded = NoCauses,
        OfCauses = times => times.ToMilliseconds(times.CompilerThreads),
    };

    /// <summary>CPU time of other threads.</summary>
    public static Measure<double> OtherThreads { get; } = new("otherThreadMs", "ms", "0.0")
    {
        Header = "Other threads ms",
        Shown = ReportTables.Causes,
        Fields = ReportFields.Causes,
        Definition = "Other threads of the process",
        Source = Samples,
        NotRecorded = NoCauses,
        OfCauses = times => times.ToMilliseconds(times.OtherThreads),
    };

    /// <summary>CPU time of the process, by samples.</summary>
    public static Measure<double> Process { get; } = new("processMs", "ms", "0.0")
    {
        Fields = ReportFields.Causes,
        Definition = "All CPU time of the process by samples: Serializer ms and what stands outside",
        Source = Samples,
        NotRecorded = NoCauses,
        OfCauses = times => times.ToMilliseconds(times.Total),
    };

    /// <summary>CPU time of other processes.</summary>
    public static Measure<double> OtherProcesses { get; } = new("otherProcessesMs", "ms", "0.0")
    {
        Header = "Other processes ms",
        Shown = ReportTables.Causes,
        Fields = ReportFields.Causes,
        Definition = "All other processes of the machine during the runs, by samples, without the idle process. No part of `processMs`",
        Source = Samples,
        NotRecorded = NoCauses + "; a process tree was recorded, and not the whole machine as in an .etl or with `--system-wide`",
        Stored = new("other_processes_ms", "CPU time of all other processes meanwhile; null when the machine was not recorded"),
        OfCauses = times => times.OtherProcesses is { } ticks ? times.ToMilliseconds(ticks) : null,
    };

    /// <summary>Stacks classified.</summary>
    public static Measure<long> Stacks { get; } = new("stackSamples", "")
    {
        Fields = ReportFields.None,
        Definition = "Samples whose stacks were classified",
        Source = Samples,
        NotRecorded = NoCauses,
        Stored = new("stack_samples", "Samples whose stacks were classified"),
        OfCauses = times => times.Quality.Samples,
    };

    /// <summary>Stacks that are broken.</summary>
    public static Measure<long> StacksBroken { get; } = new("stacksBroken", "")
    {
        Fields = ReportFields.None,
        Definition = "Of these, those whose stack does not reach the begin of its thread",
        Source = Samples,
        NotRecorded = NoCauses,
        Stored = new("stacks_broken", "Of them, those that do not reach the begin of their thread"),
        OfCauses = times => times.Quality.Broken,
    };

    /// <summary>Stacks with inlined methods.</summary>
    public static Measure<long> StacksExpanded { get; } = new("stacksExpanded", "")
    {
        Fields = ReportFields.None,
        Definition = "Of these, those with inlined methods",
        Source = Samples,
        NotRecorded = NoCauses,
        Stored = new("stacks_expanded", "Those with inlined methods"),
        OfCauses = times => times.Quality.Expanded,
    };

    /// <summary>Stacks of processes that say what was inlined.</summary>
    public static Measure<long> StacksWithInlineTrees { get; } = new("stacksWithInlineTrees", "")
    {
        Fields = ReportFields.None,
        Definition = "Of these, those of processes that say what was inlined",
        Source = Samples,
        NotRecorded = NoCauses,
        Stored = new("stacks_with_inline_trees", "Those of processes that say what was inlined"),
        OfCauses = times => times.Quality.WithInlineTrees,
    };

    /// <summary>Stacks with recovered callers.</summary>
    public static Measure<long> StacksRecovered { get; } = new("stacksRecovered", "")
    {
        Fields = ReportFields.None,
        Definition = "Of these, those to which callers were added that the recorded chain lacks",
        Source = Samples,
        NotRecorded = NoCauses,
        Stored = new("stacks_recovered", "Those to which callers were added that the recorded chain lacks"),
        OfCauses = times => times.Quality.Recovered,
    };

    /// <summary>Stacks with registers and stack memory.</summary>
    public static Measure<long> StacksWithDumps { get; } = new("stacksWithDumps", "")
    {
        Fields = ReportFields.None,
        Definition = "Of these, those that carry registers and stack",
        Source = Samples,
        NotRecorded = NoCauses,
        Stored = new("stacks_with_dumps", "Those that carry registers and stack"),
        OfCauses = times => times.Quality.WithDumps,
    };

    /// <summary>Those of the main table.</summary>
    public static IReadOnlyList<Measure> OfTable { get; } = [Reflection, Activator];

    /// <summary>What the causes are parts of, in the order of columns.</summary>
    public static IReadOnlyList<Measure> Inside { get; } = [SamplesBelowEntry, HasEntryFrame, Serializer, LazyReads, Own];

    /// <summary>What stands outside of the serializer, in the order of columns.</summary>
    public static IReadOnlyList<Measure> Outside { get; } = [Harness, Broken, GcThreads, JitThreads, OtherThreads, Process, OtherProcesses];

    /// <summary>How far the stacks can be trusted.</summary>
    public static IReadOnlyList<Measure> Quality { get; } = [Stacks, StacksBroken, StacksExpanded, StacksWithInlineTrees, StacksRecovered, StacksWithDumps];

    /// <summary>All, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [.. OfTable, .. Inside, .. Outside, .. Quality];
}
