using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>
/// CPU time by cause. <see cref="CauseCatalog"/> declares the causes, which add up to the serializer's time; these measures are the totals
/// and the time outside.
/// </summary>
public static class CauseMeasures
{
    private const string Samples = "CPU samples, √n";
    private const string NoCauses = "no CPU samples, or no names of methods";

    /// <summary>CPU time of reflection.</summary>
    public static Measure<double> Reflection { get; } =
        new("reflectionMs", "ms", "0.0")
        {
            Header = "Reflection ms",
            Shown = ReportTables.Main,
            IsInTotals = false,
            Definition = "CPU time of reflection below the serializer's entry frame ([attribution.md](attribution.md))",
            Source = Samples,
            NotRecorded = NoCauses,
            OfCauses = times => times.ToMilliseconds(times.Group(CauseCatalog.ReflectionGroup)),
        };

    /// <summary>CPU time of Activator.</summary>
    public static Measure<double> Activator { get; } =
        new("activatorMs", "ms", "0.0")
        {
            Header = "Activator ms",
            Shown = ReportTables.Main,
            IsInTotals = false,
            Definition = "The same for Activator and the object creation below it",
            Source = Samples,
            NotRecorded = NoCauses,
            OfCauses = times => times.ToMilliseconds(times.Group(CauseCatalog.ActivatorGroup)),
        };

    /// <summary>Samples of the serializer.</summary>
    public static Measure<long> SamplesBelowEntry { get; } =
        new("samplesBelowEntry", "", "0")
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
    public static Measure<bool> HasEntryFrame { get; } =
        new("hasEntryFrame", "")
        {
            Fields = ReportFields.Causes,
            Definition = "Whether the entry frame is known; if not, all time of the measuring thread counts as the serializer's",
            Source = Samples,
            NotRecorded = NoCauses,
            Stored = new("has_entry_frame", "Whether the serializer's entry frame is known"),
            OfCauses = times => times.HasEntry,
        };

    /// <summary>CPU time of the serializer.</summary>
    public static Measure<double> Serializer { get; } =
        new("serializerMs", "ms", "0.0")
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
    public static Measure<double> LazyReads { get; } =
        new("lazyReadMs", "ms", "0.0")
        {
            Header = "Lazy read ms",
            Shown = ReportTables.Causes,
            Fields = ReportFields.Causes,
            Definition =
                "Part of Serializer ms: work of the serializer when the deserialized graph was touched. FlatBuffers, FlatSharp and ZeroFormatter decode members only then",
            Source = Samples,
            NotRecorded = NoCauses + ", or the store was written before version 2",
            Stored = new(
                "lazy_read_ms",
                "CPU time of the serializer when its lazily read graph was touched; null when there are no causes",
                Since: 2
            ),
            Needs = EventKinds.CpuSamples,
            Collect = run => run.Has(EventKinds.MethodCode) ? run.Milliseconds(run.Tally.Causes?.LazyReads ?? 0) : null,
        };

    /// <summary>CPU time of the serializer's own code.</summary>
    public static Measure<double> Own { get; } =
        new("ownMs", "ms", "0.0")
        {
            Header = "Own ms",
            Shown = ReportTables.Causes,
            Fields = ReportFields.Causes,
            Definition = "The serializer's code, and platform code it calls that has no cause: List<T>, spans, memory copies",
            Source = Samples,
            NotRecorded = NoCauses,
            Stored = new("own_ms", null, "Part of serializer_ms in the serializer's own code"),
            OfCauses = times => times.ToMilliseconds(times.Own),
        };

    /// <summary>CPU time of the benchmark's own work.</summary>
    public static Measure<double> Harness { get; } =
        new("harnessMs", "ms", "0.0")
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
    public static Measure<double> Broken { get; } =
        new("brokenMs", "ms", "0.0")
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
    public static Measure<double> GcThreads { get; } =
        new("gcThreadMs", "ms", "0.0")
        {
            Header = "GC threads ms",
            Shown = ReportTables.Causes,
            Fields = ReportFields.Causes,
            Definition = "Threads `.NET Server GC` and `.NET BGC`, by samples",
            Source = Samples,
            NotRecorded = NoCauses,
            OfCauses = times => times.ToMilliseconds(times.GcThreads),
        };

    /// <summary>CPU time of JIT threads, by samples.</summary>
    public static Measure<double> JitThreads { get; } =
        new("jitThreadMs", "ms", "0.0")
        {
            Header = "JIT threads ms",
            Shown = ReportTables.Causes,
            Fields = ReportFields.Causes,
            Definition = "Thread `.NET Tiered Compilation Worker`, by samples",
            Source = Samples,
            NotRecorded = NoCauses,
            OfCauses = times => times.ToMilliseconds(times.JitThreads),
        };

    /// <summary>CPU time of other threads.</summary>
    public static Measure<double> OtherThreads { get; } =
        new("otherThreadMs", "ms", "0.0")
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
    public static Measure<double> Process { get; } =
        new("processMs", "ms", "0.0")
        {
            Fields = ReportFields.Causes,
            Definition = "All CPU time of the process by samples: Serializer ms and the time outside",
            Source = Samples,
            NotRecorded = NoCauses,
            OfCauses = times => times.ToMilliseconds(times.Total),
        };

    /// <summary>CPU time of other processes.</summary>
    public static Measure<double> OtherProcesses { get; } =
        new("otherProcessesMs", "ms", "0.0")
        {
            Header = "Other processes ms",
            Shown = ReportTables.Causes,
            Fields = ReportFields.Causes,
            Definition =
                "All other processes of the machine during the runs, by samples, without the idle process. Not part of `processMs`",
            Source = Samples,
            NotRecorded =
                NoCauses + "; or a process tree was recorded instead of the whole machine (as in an .etl or with `--system-wide`)",
            Stored = new("other_processes_ms", "CPU time of all other processes meanwhile; null when the machine was not recorded"),
            OfCauses = times => times.OtherProcesses is { } ticks ? times.ToMilliseconds(ticks) : null,
        };

    /// <summary>Stacks classified.</summary>
    public static Measure<long> Stacks { get; } =
        new("stackSamples", "")
        {
            Fields = ReportFields.None,
            Definition = "Samples whose stacks were classified",
            Source = Samples,
            NotRecorded = NoCauses,
            Stored = new("stack_samples", "Samples whose stacks were classified"),
            OfCauses = times => times.Quality.Samples,
        };

    /// <summary>Stacks that are broken.</summary>
    public static Measure<long> StacksBroken { get; } =
        new("stacksBroken", "")
        {
            Fields = ReportFields.None,
            Definition = "Of these, samples whose stack does not reach the start of its thread",
            Source = Samples,
            NotRecorded = NoCauses,
            Stored = new("stacks_broken", "Classified samples whose stack does not reach the start of its thread"),
            OfCauses = times => times.Quality.Broken,
        };

    /// <summary>Stacks with inlined methods.</summary>
    public static Measure<long> StacksExpanded { get; } =
        new("stacksExpanded", "")
        {
            Fields = ReportFields.None,
            Definition = "Of these, samples with inlined methods",
            Source = Samples,
            NotRecorded = NoCauses,
            Stored = new("stacks_expanded", "Classified samples with inlined methods"),
            OfCauses = times => times.Quality.Expanded,
        };

    /// <summary>Stacks of processes that recorded inlining.</summary>
    public static Measure<long> StacksWithInlineTrees { get; } =
        new("stacksWithInlineTrees", "")
        {
            Fields = ReportFields.None,
            Definition = "Of these, samples of processes that recorded inlining",
            Source = Samples,
            NotRecorded = NoCauses,
            Stored = new("stacks_with_inline_trees", "Classified samples of processes that recorded inlining"),
            OfCauses = times => times.Quality.WithInlineTrees,
        };

    /// <summary>Stacks with recovered callers.</summary>
    public static Measure<long> StacksRecovered { get; } =
        new("stacksRecovered", "")
        {
            Fields = ReportFields.None,
            Definition = "Of these, samples with added callers that the recorded chain lacks",
            Source = Samples,
            NotRecorded = NoCauses,
            Stored = new("stacks_recovered", "Classified samples with added callers that the recorded chain lacks"),
            OfCauses = times => times.Quality.Recovered,
        };

    /// <summary>Stacks with registers and stack memory.</summary>
    public static Measure<long> StacksWithDumps { get; } =
        new("stacksWithDumps", "")
        {
            Fields = ReportFields.None,
            Definition = "Of these, samples with registers and stack memory",
            Source = Samples,
            NotRecorded = NoCauses,
            Stored = new("stacks_with_dumps", "Classified samples with registers and stack memory"),
            OfCauses = times => times.Quality.WithDumps,
        };

    /// <summary>Measures of the main table.</summary>
    public static IReadOnlyList<Measure> OfTable { get; } = [Reflection, Activator];

    /// <summary>Totals of the causes, in column order.</summary>
    public static IReadOnlyList<Measure> Inside { get; } = [SamplesBelowEntry, HasEntryFrame, Serializer, LazyReads, Own];

    /// <summary>Time outside the serializer, in column order.</summary>
    public static IReadOnlyList<Measure> Outside { get; } = [Harness, Broken, GcThreads, JitThreads, OtherThreads, Process, OtherProcesses];

    /// <summary>Quality of the stacks.</summary>
    public static IReadOnlyList<Measure> Quality { get; } =
    [Stacks, StacksBroken, StacksExpanded, StacksWithInlineTrees, StacksRecovered, StacksWithDumps];

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [.. OfTable, .. Inside, .. Outside, .. Quality];
}
