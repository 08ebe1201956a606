using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>First calls and what they are made of.</summary>
/// <param name="Rows">One row a serializer, start-up kind and object count; the kinds of a serializer stand together.</param>
/// <param name="Assemblies">Assemblies of the rows, in their order.</param>
/// <param name="Problems">What is missing, a sentence each.</param>
public sealed record FirstCallResult(IReadOnlyList<FirstCallRow> Rows, IReadOnlyList<AssemblyRow> Assemblies, IReadOnlyList<string> Problems);

/// <summary>
/// The first calls of one serializer, start-up kind and object count, each in a process of its own. Times are medians; counts are the lower median, so a
/// number that a run really had. A value is null when it was not recorded of all runs.
/// </summary>
public sealed record FirstCallRow
{
    /// <summary>What the runs have in common.</summary>
    public required SummaryKey Key { get; init; }

    /// <summary>Runtime of the calls' processes, empty when unknown.</summary>
    public required string Runtime { get; init; }

    /// <summary>Assembly that implements the serializer.</summary>
    public required string Library { get; init; }

    /// <summary>Its version.</summary>
    public required string LibraryVersion { get; init; }

    /// <summary>Runs that completed.</summary>
    public required int Runs { get; init; }

    /// <summary>Runs that ended with an exception.</summary>
    public required int FailedRuns { get; init; }

    /// <summary>Time from the launch of the process to the start of the run's clock without <see cref="HeldMs"/>, in ms.</summary>
    public double? LaunchMs { get; init; }

    /// <summary>How long the recorder kept the process waiting at its start, in ms.</summary>
    public double? HeldMs { get; init; }

    /// <summary>Wall time by the program's own clock, else of the run's window, in ms.</summary>
    public double? MedianMs { get; init; }

    /// <summary>Shortest such time in ms.</summary>
    public double? MinMs { get; init; }

    /// <summary>Longest such time in ms.</summary>
    public double? MaxMs { get; init; }

    /// <summary>Compilation on the measuring thread in ms.</summary>
    public double? JitMs { get; init; }

    /// <summary>What is not compilation: <see cref="MedianMs"/> - <see cref="JitMs"/>, so that the two add up.</summary>
    public double? RestMs => MedianMs - JitMs;

    /// <summary>Type loads on the measuring thread outside of compilations, in ms; a part of <see cref="RestMs"/>.</summary>
    public double? TypeMs { get; init; }

    /// <summary>Compilation on other threads in ms: not a part of the wall time.</summary>
    public double? BackgroundJitMs { get; init; }

    /// <summary>Methods compiled, on all threads.</summary>
    public int? Methods { get; init; }

    /// <summary>Of them, those compiled on other threads than the measuring one.</summary>
    public int? BackgroundMethods { get; init; }

    /// <summary>Of them, those of code that the program emitted while it ran.</summary>
    public int? Emitted { get; init; }

    /// <summary>Of them, stubs that the runtime made.</summary>
    public int? Stubs { get; init; }

    /// <summary>Of them, those compiled quickly (Tier0).</summary>
    public int? Tier0 { get; init; }

    /// <summary>Of them, those compiled again, optimized (Tier1, on-stack replacement).</summary>
    public int? Tier1 { get; init; }

    /// <summary>Of them, all others: optimized at once, or by attribute not at all.</summary>
    public int? OtherTiers { get; init; }

    /// <summary>Precompiled (ReadyToRun) methods whose code was found.</summary>
    public int? Precompiled { get; init; }

    /// <summary>Type loads; a type can be loaded in several steps.</summary>
    public int? TypeLoads { get; init; }

    /// <summary>Types loaded.</summary>
    public int? Types { get; init; }

    /// <summary>Assemblies loaded, dynamic ones included.</summary>
    public int? Assemblies { get; init; }

    /// <summary>Of them, those with precompiled code.</summary>
    public int? PrecompiledAssemblies { get; init; }

    /// <summary>Attempts to load an assembly that was not found.</summary>
    public int? FailedLoads { get; init; }

    /// <summary>Names of the assemblies made in memory, and of pregenerated serializer assemblies; empty for none.</summary>
    public string? Generated { get; init; }

    /// <summary>Compilation on the measuring thread before the run's clock started, in ms.</summary>
    public double? LaunchJitMs { get; init; }

    /// <summary>Methods compiled before the run's clock started.</summary>
    public int? LaunchMethods { get; init; }

    /// <summary>Precompiled methods whose code was found before the run's clock started.</summary>
    public int? LaunchPrecompiled { get; init; }

    /// <summary>Types loaded before the run's clock started.</summary>
    public int? LaunchTypes { get; init; }

    /// <summary>Assemblies loaded before the run's clock started.</summary>
    public int? LaunchAssemblies { get; init; }
}

/// <summary>An assembly that first calls loaded, made or did not find.</summary>
/// <param name="Calls">The row of the first calls.</param>
/// <param name="Name">Its name.</param>
/// <param name="Outcome">What became of it.</param>
/// <param name="IsPrecompiled">Whether it has precompiled code; null when it was not loaded.</param>
/// <param name="Runs">Runs in which it occurs.</param>
public sealed record AssemblyRow(SummaryKey Calls, string Name, AssemblyOutcome Outcome, bool? IsPrecompiled, int Runs);

/// <summary>What became of an assembly in a first call.</summary>
public enum AssemblyOutcome
{
    /// <summary>Loaded from a file.</summary>
    Loaded = 0,

    /// <summary>Made in memory by the program.</summary>
    Generated = 1,

    /// <summary>Looked for and not found.</summary>
    NotFound = 2,
}
