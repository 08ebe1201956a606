using EtwSerializerProfiler.Analysis.FirstCalls;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the tables of first calls. docs/metrics.md defines each column; a test compares both.</summary>
public static class FirstCallColumns
{
    private static readonly HashSet<string> s_before = ["Serializer", "Runtime", "Start-up", "N", "Launch ms"];

    /// <summary>All columns; text output shows those with a header.</summary>
    public static IReadOnlyList<Column<FirstCallRow>> All { get; } =
    [
        new("serializer", "Serializer", row => row.Key.Serializer),
        RunsColumns.Runtime<FirstCallRow>(row => row.Runtime, row => row.Key.Runtime.Length > 0),
        new("library", null, row => row.Library),
        new("libraryVersion", null, row => row.LibraryVersion),
        new("startup", "Start-up", row => row.Key.Test),
        new("objects", "N", row => row.Key.ObjectCount > 0 ? row.Key.ObjectCount : null, "0")
        {
            Absent = _ => Column<FirstCallRow>.NotApplicable,
        },
        new("payloadBytes", null, row => row.Key.PayloadBytes, "0"),
        new("runs", "Runs", row => row.Runs, "0"),
        new("failedRuns", null, row => row.FailedRuns, "0"),
        Of("launchMs", "Launch ms", row => row.LaunchMs, "0.0"),
        Of("heldMs", null, row => row.HeldMs, "0.0"),
        Of("medianMs", "Median ms", row => row.MedianMs, "0.000"),
        Of("minMs", null, row => row.MinMs, "0.000"),
        Of("maxMs", null, row => row.MaxMs, "0.000"),
        Of("jitMs", "JIT ms", row => row.JitMs, "0.000"),
        Of("restMs", "Rest ms", row => row.RestMs, "0.000"),
        Of("typeMs", "Types ms", row => row.TypeMs, "0.000"),
        Of("backgroundJitMs", "Background JIT ms", row => row.BackgroundJitMs, "0.000"),
        Of("methods", "Methods", row => row.Methods, "0"),
        Of("backgroundMethods", null, row => row.BackgroundMethods, "0"),
        Of("emittedMethods", "Emitted", row => row.Emitted, "0"),
        Of("stubMethods", null, row => row.Stubs, "0"),
        Of("tier0Methods", "Tier0", row => row.Tier0, "0"),
        Of("tier1Methods", "Tier1", row => row.Tier1, "0"),
        Of("otherTierMethods", "Other tiers", row => row.OtherTiers, "0"),
        Of("precompiledMethods", "Precompiled", row => row.Precompiled, "0"),
        Of("types", "Types", row => row.Types, "0"),
        Of("typeLoads", null, row => row.TypeLoads, "0"),
        Of("assemblies", "Assemblies", row => row.Assemblies, "0"),
        Of("precompiledAssemblies", null, row => row.PrecompiledAssemblies, "0"),
        Of("failedLoads", "Failed loads", row => row.FailedLoads, "0"),
        Of("generated", "Generated", row => row.Generated is "" ? "none" : row.Generated),
        Of("launchJitMs", null, row => row.LaunchJitMs, "0.000"),
        Of("launchMethods", null, row => row.LaunchMethods, "0"),
        Of("launchPrecompiledMethods", null, row => row.LaunchPrecompiled, "0"),
        Of("launchTypes", null, row => row.LaunchTypes, "0"),
        Of("launchAssemblies", null, row => row.LaunchAssemblies, "0"),
    ];

    /// <summary>Columns of the time before the first calls, for text output; CSV and JSON have <see cref="All"/>.</summary>
    public static IReadOnlyList<Column<FirstCallRow>> Before { get; } =
    [
        .. All.Where(column => column.Header is { } header && s_before.Contains(header)),
        Shown("heldMs", "Held ms"),
        Shown("launchJitMs", "JIT ms"),
        Shown("launchMethods", "Methods"),
        Shown("launchPrecompiledMethods", "Precompiled"),
        Shown("launchTypes", "Types"),
        Shown("launchAssemblies", "Assemblies"),
    ];

    /// <summary>Columns of the table of assemblies.</summary>
    public static IReadOnlyList<Column<AssemblyRow>> Assemblies { get; } =
    [
        new("serializer", "Serializer", row => row.Calls.Serializer),
        RunsColumns.Runtime<AssemblyRow>(row => row.Calls.Runtime, row => row.Calls.Runtime.Length > 0),
        new("startup", "Start-up", row => row.Calls.Test),
        new("objects", "N", row => row.Calls.ObjectCount > 0 ? row.Calls.ObjectCount : null, "0")
        {
            Absent = _ => Column<AssemblyRow>.NotApplicable,
        },
        new("assembly", "Assembly", row => row.Name),
        new("outcome", "Outcome", row => row.Outcome.ToString()),
        new(
            "precompiled",
            "ReadyToRun",
            row =>
                row.IsPrecompiled is { } precompiled
                    ? precompiled
                        ? "yes"
                        : "no"
                    : null
        )
        {
            Absent = _ => Column<AssemblyRow>.NotApplicable,
        },
        new("runs", "Runs", row => row.Runs, "0"),
    ];

    private static Column<FirstCallRow> Shown(string key, string header) => All.First(column => column.Key == key) with { Header = header };

    private static Column<FirstCallRow> Of(string key, string? header, Func<FirstCallRow, object?> value, string format = "") =>
        new(key, header, value, format) { Absent = row => row.Runs == 0 ? "failed" : Column<FirstCallRow>.NotRecorded };
}
