using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>Builds the row of several first calls.</summary>
internal static class FirstCallRows
{
    /// <summary>Name suffix of assemblies that sgen or Microsoft.XmlSerializer.Generator created at build time.</summary>
    private const string PregeneratedSuffix = ".XmlSerializers";

    /// <summary>Creates the row of calls with one key.</summary>
    /// <param name="calls">Completed calls.</param>
    /// <param name="failed">Number of failed calls.</param>
    public static FirstCallRow Create(IReadOnlyList<FirstCallMeasures> calls, int failed)
    {
        var identity = calls[0].Run.Identity;
        return new FirstCallRow
        {
            Key = SummaryKey.Of(calls[0].Run),
            Runtime = calls[0].Run.Runtime,
            Library = identity.Library,
            LibraryVersion = identity.LibraryVersion,
            Runs = calls.Count,
            FailedRuns = failed,
            LaunchMs = Median(call => call.LaunchMs),
            HeldMs = Median(call => call.HeldMs),
            MedianMs = Median(call => call.WallMs),
            MinMs = calls.Min(call => call.WallMs),
            MaxMs = calls.Max(call => call.WallMs),
            JitMs = Ms(EventKinds.Jit, call => call.Run.MeasuringThread is null ? null : call.In.JitTicks),
            TypeMs = Ms(
                EventKinds.TypeLoads,
                call => call.Run.MeasuringThread is null || !call.Has(EventKinds.Jit) ? null : Math.Max(0, call.In.TypeTicks)
            ),
            BackgroundJitMs = Ms(EventKinds.Jit, call => call.Run.MeasuringThread is null ? null : call.In.BackgroundJitTicks),
            Methods = Count(EventKinds.Jit, call => call.In.MethodCount),
            BackgroundMethods = Count(EventKinds.Jit, call => call.Run.MeasuringThread is null ? null : call.In.BackgroundMethods),
            Emitted = Count(EventKinds.Jit, call => call.Has(EventKinds.AssemblyLoads) ? call.In.Emitted : null),
            Stubs = Count(EventKinds.Jit, call => call.In.Stubs),
            Tier0 = Count(EventKinds.Jit, call => call.In.MethodsOf(CodeTier.Tier0, CodeTier.Tier0Instrumented)),
            Tier1 = Count(EventKinds.Jit, call => call.In.MethodsOf(CodeTier.Tier1, CodeTier.Tier1Instrumented, CodeTier.Tier1Osr)),
            OtherTiers = Count(EventKinds.Jit, call => call.In.MethodsOf(CodeTier.Optimized, CodeTier.MinOpt, CodeTier.Unknown)),
            Precompiled = Count(EventKinds.PrecompiledMethods, call => call.In.Precompiled),
            TypeLoads = Count(EventKinds.TypeLoads, call => call.In.TypeLoads),
            Types = Count(EventKinds.TypeLoads, call => call.In.Types.Count),
            Assemblies = Count(EventKinds.AssemblyLoads, call => call.In.Assemblies.Count),
            PrecompiledAssemblies = Count(
                EventKinds.AssemblyLoads,
                call => call.In.Assemblies.Count(assembly => call.IsPrecompiled(assembly.AssemblyId))
            ),
            FailedLoads = Count(EventKinds.AssemblyBinds, call => call.In.NotFound.Count),
            Generated = calls.All(call => call.Has(EventKinds.AssemblyLoads)) ? Generated(calls) : null,
            LaunchJitMs = Ms(EventKinds.Jit, call => call.Run.MeasuringThread is null ? null : call.Before?.JitTicks),
            LaunchMethods = Count(EventKinds.Jit, call => call.Before?.MethodCount),
            LaunchPrecompiled = Count(EventKinds.PrecompiledMethods, call => call.Before?.Precompiled),
            LaunchTypes = Count(EventKinds.TypeLoads, call => call.Before?.Types.Count),
            LaunchAssemblies = Count(EventKinds.AssemblyLoads, call => call.Before?.Assemblies.Count),
        };

        double? Median(Func<FirstCallMeasures, double?> value)
        {
            var values = calls.Select(value).OfType<double>().ToList();
            return values.Count == calls.Count ? Statistics.Median(values) : null;
        }

        double? Ms(EventKinds kind, Func<FirstCallMeasures, long?> ticks) =>
            Median(call => call.Has(kind) && ticks(call) is { } known ? call.Milliseconds(known) : null);

        int? Count(EventKinds kind, Func<FirstCallMeasures, int?> value)
        {
            var values = calls.Select(call => call.Has(kind) ? value(call) : null).OfType<int>().Order().ToList();
            return values.Count == calls.Count ? values[(values.Count - 1) / 2] : null;
        }
    }

    /// <summary>Creates the row of calls that all failed.</summary>
    public static FirstCallRow Failed(IGrouping<SummaryKey, Runs.Run> calls)
    {
        var identity = calls.First().Identity;
        return new FirstCallRow
        {
            Key = calls.Key,
            Runtime = calls.First().Runtime,
            Library = identity.Library,
            LibraryVersion = identity.LibraryVersion,
            Runs = 0,
            FailedRuns = calls.Count(),
        };
    }

    /// <summary>Assemblies of a row: loaded ones in the order of the first run's loads, then missing ones.</summary>
    public static IEnumerable<AssemblyRow> Assemblies(IReadOnlyList<FirstCallMeasures> calls)
    {
        var key = SummaryKey.Of(calls[0].Run);
        var loaded = calls.SelectMany(call =>
            call.In.Assemblies.Select(assembly =>
                (
                    Call: call,
                    assembly.Name,
                    Outcome: assembly.IsDynamic ? AssemblyOutcome.Generated : AssemblyOutcome.Loaded,
                    IsPrecompiled: (bool?)call.IsPrecompiled(assembly.AssemblyId)
                )
            )
        );
        var missing = calls.SelectMany(call =>
            call.In.NotFound.Select(name => (Call: call, Name: name, Outcome: AssemblyOutcome.NotFound, IsPrecompiled: (bool?)null))
        );
        return loaded
            .Concat(missing)
            .GroupBy(use => (use.Name, use.Outcome, use.IsPrecompiled))
            .Select(group => new AssemblyRow(
                key,
                group.Key.Name,
                group.Key.Outcome,
                group.Key.IsPrecompiled,
                group.Select(use => use.Call).Distinct().Count()
            ));
    }

    private static string Generated(IReadOnlyList<FirstCallMeasures> calls) =>
        string.Join(
            ", ",
            calls
                .SelectMany(call => call.In.Assemblies)
                .Where(assembly => assembly.IsDynamic || assembly.Name.EndsWith(PregeneratedSuffix, StringComparison.OrdinalIgnoreCase))
                .Select(assembly => assembly.IsDynamic ? assembly.Name : $"{assembly.Name} (pregenerated)")
                .Distinct()
                .Order(StringComparer.Ordinal)
        );
}
