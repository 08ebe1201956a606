using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>The columns of the summary. docs/benchmarkdotnet.md defines each; a test compares the two.</summary>
internal static class ProfileMetrics
{
    private const double NanosecondsPerMillisecond = 1e6;

    /// <summary>Places the columns after BenchmarkDotNet's own metrics.</summary>
    private const int FirstPriority = 100;

    /// <summary>All columns, in order.</summary>
    public static IReadOnlyList<ProfileMetric> All { get; } = Make();

    /// <summary>Values per operation over some runs. What was not recorded is left out and reads NA.</summary>
    public static IReadOnlyList<Metric> Of(IReadOnlyList<Run> runs) =>
        [
            .. All.Select(metric => (metric, Value: metric.Of(runs)))
                .Where(pair => pair.Value is not null)
                .Select(pair => new Metric(pair.metric, pair.Value!.Value)),
        ];

    private static List<ProfileMetric> Make()
    {
        var all = new List<ProfileMetric>();
        Add("CPU", "CPU time of the process per operation, all threads, by context switches", true, run => run.CpuMs);
        Add(
            "Own code",
            "CPU time of the measuring thread per operation without one of the causes below, by CPU samples",
            true,
            run => Sampled(run, times => times.Own)
        );
        foreach (var group in CauseCatalog.All.Select(cause => cause.Group).Distinct())
            Add(
                Header(group),
                $"CPU time of the measuring thread per operation, cause {group}, by CPU samples",
                group is CauseCatalog.ReflectionGroup or CauseCatalog.ActivatorGroup or "GC",
                run => Sampled(run, times => times.Group(group))
            );
        Add(
            "Other threads",
            "CPU time of all other threads per operation, with those of GC and JIT, by CPU samples",
            false,
            run => Sampled(run, times => times.GcThreads + times.JitThreads + times.OtherThreads)
        );
        Add("GC pause", "Time per operation during which GCs kept the threads suspended", true, run => run.PauseTotalMs);
        Add("JIT time", "JIT compilation time per operation, all threads", true, run => run.JitMs);
        Add("Lock wait", "Time waited for managed locks per operation, all threads", false, run => run.ContentionMs);
        all.Add(
            new ProfileMetric(
                "Sampled alloc",
                "Bytes allocated per operation, estimated from sampled allocations",
                FirstPriority + all.Count,
                false,
                run => run.AllocatedBytesSource is AllocationSource.Sampled ? run.AllocatedBytes : null,
                UnitType.Size
            )
        );
        return all;

        void Add(string name, string legend, bool always, Func<Run, double?> milliseconds) =>
            all.Add(
                new ProfileMetric(name, legend, FirstPriority + all.Count, always, run => milliseconds(run) * NanosecondsPerMillisecond)
            );
    }

    private static double? Sampled(Run run, Func<CauseTimes, long> ticks) =>
        run.Causes is { } causes ? causes.ToMilliseconds(ticks(causes)) : null;

    /// <summary>Adds "CPU" to the causes that also have a column of elapsed time: GC pauses and JIT time.</summary>
    private static string Header(string group) => group is "GC" or "JIT" ? group + " CPU" : group;
}
