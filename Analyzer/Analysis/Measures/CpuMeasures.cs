using EtwSerializerProfiler.Analysis.Comparison;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>CPU time by clocks and context switches.</summary>
public static class CpuMeasures
{
    private const string NoKernelSession = "no kernel session";

    /// <summary>CPU time of the measuring thread by its own clock.</summary>
    public static Measure<double> OwnThread { get; } =
        new("threadCpuMs", "ms", "0.000")
        {
            Header = "Thread CPU ms",
            Shown = ReportTables.Runs | ReportTables.Timeline,
            Definition = "CPU time (user + kernel) of the measuring thread by its own clock",
            Source = "clock_gettime(CLOCK_THREAD_CPUTIME_ID) on Linux; GetThreadTimes on Windows, which advances by scheduler ticks",
            NotRecorded = "the program did not report it",
            Stored = new(
                "thread_cpu_ms",
                "CPU time of the measuring thread by its own clock",
                "CPU time of the measuring thread by its own clock over all runs"
            ),
            Collect = run => run.SelfMeasurement is { ThreadCpuNanoseconds: >= 0 } own ? own.ThreadCpuNanoseconds / 1e6 : null,
        };

    /// <summary>CPU time of the process.</summary>
    public static Measure<double> Process { get; } =
        new("cpuMs", "ms", "0.000")
        {
            Header = "CPU ms",
            Shown = ReportTables.Main | ReportTables.Processor,
            Definition = "Time that threads of the process spent on processors in the window, in user and kernel mode, summed over threads",
            Source =
                "switch records of the kernel session (`perf.data`), within 2 % of the process's own clock; a thread that runs when the recording starts or ends counts from or until that moment; "
                + "about 6 µs of each context switch (20 on a loaded machine) are in neither thread's time. Samples of perf events cannot replace them, because an ordinary user's samples lack kernel mode. "
                + "Recorded by ptrace: the threads' clocks (schedstat), read at each sample and when a thread goes to sleep. If an edge of a run is between two readings, the time between them is divided by assumption: 0.03 ms per run (median), 0.4 % over all (docs/internals/recording.md). "
                + "Recorded by EventPipe's sample profiler: the same clocks, read every 2 ms, so values of runs of a few ms are some percent too small and include the profiler's own thread. Traces without clocks only have an estimate (`sampledCpuMs`)",
            NotRecorded = NoKernelSession,
            Stored = new(
                "cpu_ms",
                "CPU time of the process by the kernel's switch records or its threads' clocks",
                "CPU time of the process over all runs"
            ),
            Compared = new("cpu", "CPU ms", MetricKind.Time),
            Collect = run => run.HasProcessorTime ? run.Milliseconds(run.Tally.CpuTicks) : null,
        };

    /// <summary>CPU time of GC threads.</summary>
    public static Measure<double> GcThreads { get; } =
        new("gcThreadCpuMs", "ms", "0.000")
        {
            Header = "GC threads ms",
            Shown = ReportTables.Processor,
            Definition =
                "Part of CPU ms on threads named `.NET Server GC` or `.NET BGC` (background GC). A blocking GC of the workstation collector runs on the thread that allocates: see Pause ms",
            Source = "switch records, µs (recorded by ptrace: as CPU ms), and thread names",
            NotRecorded = NoKernelSession,
            Stored = new("gc_thread_cpu_ms", "Part of cpu_ms on GC threads"),
            Collect = run => run.HasProcessorTime ? run.Milliseconds(run.Tally.CollectorCpuTicks) : null,
        };

    /// <summary>CPU time of JIT threads.</summary>
    public static Measure<double> JitThreads { get; } =
        new("jitThreadCpuMs", "ms", "0.000")
        {
            Header = "JIT threads ms",
            Shown = ReportTables.Processor,
            Definition =
                "Part of CPU ms on the thread named `.NET Tiered Compilation Worker`, which recompiles hot methods. A method's first compilation runs on the thread that calls it: see JIT ms",
            Source = "switch records, µs (recorded by ptrace: as CPU ms), and thread names",
            NotRecorded = NoKernelSession,
            Stored = new("jit_thread_cpu_ms", "Part of cpu_ms on threads of the JIT compiler"),
            Collect = run => run.HasProcessorTime ? run.Milliseconds(run.Tally.CompilerCpuTicks) : null,
        };

    /// <summary>Measures of the runtime's threads, in column order.</summary>
    public static IReadOnlyList<Measure> RuntimeThreads { get; } = [GcThreads, JitThreads];

    /// <summary>All measures of this group, in the order of the columns of stores.</summary>
    public static IReadOnlyList<Measure> All { get; } = [OwnThread, Process, .. RuntimeThreads];
}
