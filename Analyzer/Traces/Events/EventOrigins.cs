using System.Diagnostics.Tracing;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Events;

/// <summary>
/// The provider setting that enables a kind of events: the recorder requests it, and readers derive from it what a session lacks.
/// </summary>
/// <param name="Kind">The kind.</param>
/// <param name="Provider">Name of the provider.</param>
/// <param name="Keywords">Keywords, each of which enables it; none when the provider writes it with any keyword.</param>
/// <param name="Level">Lowest level that enables it.</param>
/// <param name="FirstVersion">First major version of the runtime that writes it.</param>
public sealed record EventOrigin(EventKinds Kind, string Provider, RuntimeKeywords Keywords, EventLevel Level, int FirstVersion = 0)
{
    /// <summary>Keywords that bring it as well, together with events that nothing reads.</summary>
    public RuntimeKeywords CostlierKeywords { get; init; }
}

/// <summary>
/// The settings that enable the events of runtimes and benchmarks: keywords and levels of ClrEtwAll.man of dotnet/runtime. Kinds that are
/// not in it are the kernel's, and so are most CPU samples.
/// </summary>
public static class EventOrigins
{
    /// <summary>The runtime's provider.</summary>
    public const string RuntimeProvider = "Microsoft-Windows-DotNETRuntime";

    /// <summary>The provider of EventPipe's sample profiler.</summary>
    public const string SampleProfiler = "Microsoft-DotNETCore-SampleProfiler";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<EventOrigin> All { get; } =
    [
        new(EventKinds.RunMarks, RunEventSource.ProviderName, RuntimeKeywords.None, EventLevel.Informational),
        new(EventKinds.RunMarks, BenchmarkProvider.Name, RuntimeKeywords.None, EventLevel.Informational),
        new(EventKinds.Gc, RuntimeProvider, RuntimeKeywords.Gc, EventLevel.Informational),
        new(EventKinds.AllocationTicks, RuntimeProvider, RuntimeKeywords.Gc, EventLevel.Verbose),
        new(EventKinds.AllocationSamples, RuntimeProvider, RuntimeKeywords.AllocationSampling, EventLevel.Informational, FirstVersion: 10),
        new(EventKinds.Exceptions, RuntimeProvider, RuntimeKeywords.Monitoring, EventLevel.Error)
        {
            CostlierKeywords = RuntimeKeywords.Exception,
        },
        new(EventKinds.Contention, RuntimeProvider, RuntimeKeywords.Contention, EventLevel.Informational),
        new(EventKinds.Waits, RuntimeProvider, RuntimeKeywords.WaitHandle, EventLevel.Verbose, FirstVersion: 9),
        new(EventKinds.WorkerWaits, RuntimeProvider, RuntimeKeywords.Threading, EventLevel.Informational),
        new(EventKinds.Jit, RuntimeProvider, RuntimeKeywords.Jit, EventLevel.Verbose),
        new(EventKinds.MethodCode, RuntimeProvider, RuntimeKeywords.Jit | RuntimeKeywords.Ngen, EventLevel.Verbose),
        new(EventKinds.AssemblyLoads, RuntimeProvider, RuntimeKeywords.Loader, EventLevel.Informational),
        new(EventKinds.AssemblyBinds, RuntimeProvider, RuntimeKeywords.AssemblyLoader, EventLevel.Informational, FirstVersion: 5),
        new(EventKinds.TypeLoads, RuntimeProvider, RuntimeKeywords.TypeDiagnostic, EventLevel.Informational, FirstVersion: 5),
        new(EventKinds.PrecompiledMethods, RuntimeProvider, RuntimeKeywords.CompilationDiagnostic, EventLevel.Informational),
        new(EventKinds.Requests, RequestProvider.Name, RuntimeKeywords.None, EventLevel.Informational),
        new(EventKinds.AsyncSteps, TaskProvider.Name, RuntimeKeywords.None, EventLevel.Informational),
        new(EventKinds.CpuSamples, SampleProfiler, RuntimeKeywords.None, EventLevel.Informational),
    ];

    /// <summary>Keywords of the runtime's provider that bring all of some kinds.</summary>
    public static RuntimeKeywords Keywords(EventKinds kinds) =>
        All.Where(origin => origin.Provider == RuntimeProvider && (origin.Kind & kinds) != 0)
            .Aggregate(RuntimeKeywords.None, (all, origin) => all | origin.Keywords);

    /// <summary>Kinds that a provider writes.</summary>
    /// <param name="provider">Name of the provider.</param>
    /// <param name="keywords">Enabled keywords.</param>
    /// <param name="level">Enabled level.</param>
    /// <param name="version">Major version of the runtime.</param>
    public static EventKinds Kinds(string provider, ulong keywords, EventLevel level, int version) =>
        All.Where(origin =>
                origin.Provider.Equals(provider, StringComparison.OrdinalIgnoreCase)
                && level >= origin.Level
                && version >= origin.FirstVersion
                && (origin.Keywords == RuntimeKeywords.None || (keywords & (ulong)(origin.Keywords | origin.CostlierKeywords)) != 0)
            )
            .Aggregate(EventKinds.None, (all, origin) => all | origin.Kind);
}
