namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>Memory of the run's process, and size of the program on disk.</summary>
public static class FootprintMeasures
{
    private const int Since = 3;
    private const string SizeMeaning = "Size of the program's folder without debug files and documentation";

    /// <summary>Largest working set of the process.</summary>
    public static Measure<long> PeakWorkingSet { get; } =
        new("peakWorkingSetBytes", "B", "0.0")
        {
            Header = "Peak MB",
            Scale = 1e6,
            Shown = ReportTables.Main | ReportTables.FirstUse,
            IsShownOnlyIfRecorded = true,
            IsInTotals = false,
            Definition =
                "Largest working set (resident memory) of the run's process, from its start to the end of the run; for a row, the "
                + "largest of its runs. It includes runtime, program, data and earlier runs of the process",
            Source = "run CSV: VmHWM of the kernel on Linux, else the system's PeakWorkingSet",
            NotRecorded = "the process ran several serializers (`-isolate off`), programs without a run CSV, recordings of older versions",
            Stored = new(
                "peak_working_set_bytes",
                "Largest working set of the process from its start to the end of the run",
                "Largest working set of the processes of the row's runs",
                Since
            ),
            Collect = run => run.SelfMeasurement is { PeakWorkingSetBytes: > 0 } own ? own.PeakWorkingSetBytes : null,
            OverRuns = OverRuns.Max,
        };

    /// <summary>Size of the program.</summary>
    public static Measure<long> Program { get; } =
        new("programBytes", "B", "0")
        {
            IsInTotals = false,
            Definition =
                "Size of the program's folder without debug files (.dbg, .pdb) and documentation (.xml): with NativeAOT the "
                + "executable, otherwise the suite with all adapters; a shared framework is not in it, a self-contained build's runtime is",
            Source = "run CSV",
            NotRecorded = "programs without a run CSV, recordings of older versions",
            Stored = new("program_bytes", SizeMeaning, SizeMeaning, Since),
            Collect = run => run.SelfMeasurement is { ProgramBytes: > 0 } own ? own.ProgramBytes : null,
            OverRuns = OverRuns.Max,
        };

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [PeakWorkingSet, Program];
}
