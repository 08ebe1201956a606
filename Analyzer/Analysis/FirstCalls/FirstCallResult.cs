using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>First calls with their breakdown.</summary>
/// <param name="Rows">One row per serializer, start-up kind and object count; the kinds of a serializer are adjacent.</param>
/// <param name="Assemblies">Assemblies of the rows, in row order.</param>
/// <param name="Problems">What is missing, one sentence each.</param>
public sealed record FirstCallResult(
    IReadOnlyList<FirstCallRow> Rows,
    IReadOnlyList<AssemblyRow> Assemblies,
    IReadOnlyList<string> Problems
);

/// <summary>
/// First calls of one serializer, start-up kind and object count, each in its own process. Times are medians; counts are the lower median,
/// so that a run really had the value. A value is null when it was not recorded for all runs.
/// </summary>
public sealed record FirstCallRow
{
    /// <summary>What the runs have in common.</summary>
    public required SummaryKey Key { get; init; }

    /// <summary>Runtime of the calls' processes; empty when unknown.</summary>
    public required string Runtime { get; init; }

    /// <summary>Assembly that implements the serializer.</summary>
    public required string Library { get; init; }

    /// <summary>Its version.</summary>
    public required string LibraryVersion { get; init; }

    /// <summary>Number of completed runs.</summary>
    public required int Runs { get; init; }

    /// <summary>Number of runs that ended with an exception.</summary>
    public required int FailedRuns { get; init; }

    /// <summary>Time from process launch to the start of the run's clock, without <see cref="HeldMs"/>, in ms.</summary>
    public double? LaunchMs { get; init; }

    /// <summary>Time that the recorder kept the process waiting at its start, in ms.</summary>
    public double? HeldMs { get; init; }

    /// <summary>Median wall time by the program's own clock, else of the run's window, in ms.</summary>
    public double? MedianMs { get; init; }

    /// <summary>Minimum wall time in ms.</summary>
    public double? MinMs { get; init; }

    /// <summary>Maximum wall time in ms.</summary>
    public double? MaxMs { get; init; }

    /// <summary>Compilation on the measuring thread in ms.</summary>
    public double? JitMs { get; init; }

    /// <summary>Time without compilation: <see cref="MedianMs"/> - <see cref="JitMs"/>, so that the two add up.</summary>
    public double? RestMs => MedianMs - JitMs;

    /// <summary>Type loads on the measuring thread outside of compilations, in ms; part of <see cref="RestMs"/>.</summary>
    public double? TypeMs { get; init; }

    /// <summary>Compilation on other threads in ms; not part of the wall time.</summary>
    public double? BackgroundJitMs { get; init; }

    /// <summary>Number of compiled methods, on all threads.</summary>
    public int? Methods { get; init; }

    /// <summary>Number of methods compiled on other threads than the measuring one.</summary>
    public int? BackgroundMethods { get; init; }

    /// <summary>Number of compiled methods of code that the program emitted at run time.</summary>
    public int? Emitted { get; init; }

    /// <summary>Number of compiled stubs of the runtime.</summary>
    public int? Stubs { get; init; }

    /// <summary>Number of methods compiled quickly (Tier0).</summary>
    public int? Tier0 { get; init; }

    /// <summary>Number of methods recompiled with optimization (Tier1, on-stack replacement).</summary>
    public int? Tier1 { get; init; }

    /// <summary>Number of all other compiled methods: optimized at once (dynamic methods, by attribute), or never.</summary>
    public int? OtherTiers { get; init; }

    /// <summary>Number of precompiled (ReadyToRun) methods whose code was found.</summary>
    public int? Precompiled { get; init; }

    /// <summary>Number of type loads; a type can load in several steps.</summary>
    public int? TypeLoads { get; init; }

    /// <summary>Number of loaded types.</summary>
    public int? Types { get; init; }

    /// <summary>Number of loaded assemblies, including dynamic ones.</summary>
    public int? Assemblies { get; init; }

    /// <summary>Number of loaded assemblies with precompiled code.</summary>
    public int? PrecompiledAssemblies { get; init; }

    /// <summary>Number of attempts to load a missing assembly.</summary>
    public int? FailedLoads { get; init; }

    /// <summary>Names of assemblies generated in memory, and of pregenerated serializer assemblies; empty for none.</summary>
    public string? Generated { get; init; }

    /// <summary>Compilation on the measuring thread before the run's clock started, in ms.</summary>
    public double? LaunchJitMs { get; init; }

    /// <summary>Number of methods compiled before the run's clock started.</summary>
    public int? LaunchMethods { get; init; }

    /// <summary>Number of precompiled methods whose code was found before the run's clock started.</summary>
    public int? LaunchPrecompiled { get; init; }

    /// <summary>Number of types loaded before the run's clock started.</summary>
    public int? LaunchTypes { get; init; }

    /// <summary>Number of assemblies loaded before the run's clock started.</summary>
    public int? LaunchAssemblies { get; init; }
}

/// <summary>An assembly that first calls loaded, generated or did not find.</summary>
/// <param name="Calls">The row of the first calls.</param>
/// <param name="Name">Its name.</param>
/// <param name="Outcome">Its outcome.</param>
/// <param name="IsPrecompiled">Whether it has precompiled code; null when not loaded.</param>
/// <param name="Runs">Number of runs with it.</param>
public sealed record AssemblyRow(SummaryKey Calls, string Name, AssemblyOutcome Outcome, bool? IsPrecompiled, int Runs);

/// <summary>Outcome of an assembly in a first call.</summary>
public enum AssemblyOutcome
{
    /// <summary>Loaded from a file.</summary>
    Loaded = 0,

    /// <summary>Generated in memory by the program.</summary>
    Generated = 1,

    /// <summary>Not found.</summary>
    NotFound = 2,
}
