using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>
/// Plans the EventPipe sessions of a recording. Data only: it is printed by <c>--dry-run</c>, tested, and kept in recording.json.
/// </summary>
/// <remarks>
/// Two sessions, because a provider has one level in a session: at Verbose the GC keyword brings an event for every 100 KB allocated, at
/// Informational the wait and JIT-start events are missing. Naming a provider twice in one session silently keeps its first entry.
/// Types (keyword Type) come with what was inlined, and only the session for code has the keyword. It also gets a BulkType event for each object that is finalized, because any sessions of the
/// process together have the GC keyword and the level Verbose: the runtime asks for FinalizeObject by the sum of all sessions. Millions of them made a program five times slower, so programs of the
/// user's own are recorded without types, and IL names what was inlined (UntypedInlinees). The suite finalizes nothing and has emitted code, whose inlined methods IL cannot name.
/// </remarks>
public static class EventPipePlan
{
    /// <summary>Name of the session for collections, exceptions, locks and run marks.</summary>
    public const string ClrSession = "clr";

    /// <summary>Name of the session for code, waits and the names of methods.</summary>
    public const string CodeSession = "code";

    /// <summary>Name of the session for allocation ticks.</summary>
    public const string AllocationSession = "alloc";

    /// <summary>Name of the session of the sample profiler.</summary>
    public const string SampleSession = "sample";

    /// <summary>What has to be said wherever samples of the sample profiler are planned.</summary>
    public const string SampleProfilerCaveat = "CPU samples by EventPipe's sample profiler: managed frames at safe points";

    /// <summary>Keywords that dotnet-trace asks the sample profiler for; without any it stays silent.</summary>
    private const ulong SampleKeywords = 0xF00000000000;

    /// <summary>The runtime's private provider.</summary>
    public const string PrivateProvider = "Microsoft-Windows-DotNETRuntimePrivate";

    /// <summary>Keyword of the private provider for rich debug information: inline trees of programs started with DOTNET_RichDebugInfo=1.</summary>
    internal const ulong InlineTreeKeyword = 0x40000;

    private const string Informational = nameof(Informational);

    private const string Verbose = nameof(Verbose);

    /// <summary>Buffer of a session in the recorded process. Rundown and bursts of JIT events must fit while the recorder is not scheduled.</summary>
    private const int BufferMegabytes = 256;

    /// <summary>Major version of the first runtime that samples allocations.</summary>
    private static readonly int s_firstSamplingRuntime = EventOrigins.All.Single(origin => origin.Kind == EventKinds.AllocationSamples).FirstVersion;

    private static readonly PlannedProvider s_requests = PlannedProvider.Create(RequestProvider.Name, RequestProvider.Keywords, Informational) with
    {
        Arguments = new Dictionary<string, string> { [RequestProvider.ArgumentName] = RequestProvider.Argument },
    };

    /// <summary>All sessions that can be chosen, in the order they are started.</summary>
    public static IReadOnlyList<string> SessionNames { get; } = [ClrSession, CodeSession];

    /// <summary>Whether sessions bring inline trees.</summary>
    public static bool HasInlineTrees(IReadOnlyList<PlannedSession> sessions) => sessions.Any(session => session.Providers.Any(provider => provider.Name == PrivateProvider));

    /// <summary>Plans the sessions.</summary>
    /// <param name="sessions">Which of <see cref="SessionNames"/>.</param>
    /// <param name="allocation">Allocation events.</param>
    /// <param name="sampleProfiler">Whether the sample profiler runs too, in a session of its own.</param>
    /// <param name="inlineInfo">Whether the session for code also brings what was inlined where.</param>
    /// <param name="startup">Events of first calls, which join the session for code.</param>
    /// <param name="inlineeTypes">Whether what was inlined comes with its types.</param>
    /// <param name="requests">Whether HTTP requests are recorded.</param>
    public static IReadOnlyList<PlannedSession> Create(IReadOnlyCollection<string> sessions, AllocationEvents allocation, bool sampleProfiler = false, bool inlineInfo = true, StartupEvents startup = StartupEvents.None, bool inlineeTypes = true, bool requests = false)
    {
        ArgumentNullException.ThrowIfNull(sessions);
        var plan = new List<PlannedSession>();
        if (sessions.Contains(ClrSession))
        {
            var sampled = allocation == AllocationEvents.Sampled ? EventKinds.AllocationSamples : 0;
            plan.Add(new PlannedSession(
                ClrSession,
                [
                    PlannedProvider.Create(
                        EventOrigins.RuntimeProvider,
                        (ulong)(EventOrigins.Keywords(EventKinds.Gc | EventKinds.Exceptions | EventKinds.Contention | sampled) | RuntimeKeywords.Threading),
                        Informational),
                    PlannedProvider.Create(RunEventSource.ProviderName, ulong.MaxValue, Informational),
                    PlannedProvider.Create(BenchmarkProvider.Name, ulong.MaxValue, Informational),
                    .. requests ? [s_requests] : (PlannedProvider[])[],
                ],
                Rundown: false,
                BufferMegabytes,
                "collections and their pauses, exceptions, lock contention, run marks, iterations of BenchmarkDotNet" + (sampled != 0 ? ", sampled allocations" : "") + (requests ? ", HTTP requests" : "")));
        }

        if (sessions.Contains(CodeSession))
        {
            var inlinees = inlineInfo ? RuntimeKeywords.MethodDetails | (inlineeTypes ? RuntimeKeywords.Type : 0) : 0;
            plan.Add(new PlannedSession(
                CodeSession,
                [
                    PlannedProvider.Create(
                        EventOrigins.RuntimeProvider,
                        (ulong)(EventOrigins.Keywords(EventKinds.Jit | EventKinds.MethodCode | EventKinds.AssemblyLoads | EventKinds.Waits | Kinds(startup)) | inlinees),
                        Verbose),
                    .. inlineInfo ? [PlannedProvider.Create(PrivateProvider, InlineTreeKeyword, Verbose)] : (PlannedProvider[])[],
                ],
                Rundown: true,
                BufferMegabytes,
                "JIT compilation, the marker thread's waits, names of methods" + (inlineInfo ? ", what was inlined where" : "") + Purpose(startup)));
        }

        if (allocation == AllocationEvents.Ticks || (allocation == AllocationEvents.Sampled && sessions.Contains(ClrSession)))
        {
            plan.Add(new PlannedSession(
                AllocationSession,
                [PlannedProvider.Create(EventOrigins.RuntimeProvider, (ulong)EventOrigins.Keywords(EventKinds.AllocationTicks), Verbose)],
                Rundown: false,
                BufferMegabytes,
                "allocation ticks, apart from the collections because Verbose GC events can lengthen pauses")
            {
                RuntimesBefore = allocation == AllocationEvents.Sampled ? s_firstSamplingRuntime : null,
            });
        }

        if (sampleProfiler)
        {
            plan.Add(new PlannedSession(
                SampleSession,
                [
                    PlannedProvider.Create(EventOrigins.SampleProfiler, SampleKeywords, Informational),

                    // Other tools find the names of methods in the same file.
                    PlannedProvider.Create(EventOrigins.RuntimeProvider, (ulong)EventOrigins.Keywords(EventKinds.MethodCode | EventKinds.AssemblyLoads), Informational),
                ],
                Rundown: true,
                BufferMegabytes,
                SampleProfilerCaveat));
        }

        return plan;
    }

    /// <summary>Kinds of events that first calls are asked for.</summary>
    internal static EventKinds Kinds(StartupEvents startup) =>
        (startup.HasFlag(StartupEvents.Assemblies) ? EventKinds.AssemblyBinds : 0)
        | (startup.HasFlag(StartupEvents.Types) ? EventKinds.TypeLoads : 0)
        | (startup.HasFlag(StartupEvents.Precompiled) ? EventKinds.PrecompiledMethods : 0);

    private static string Purpose(StartupEvents startup) =>
        (startup.HasFlag(StartupEvents.Assemblies) ? ", how assemblies were looked for" : "")
        + (startup.HasFlag(StartupEvents.Types) ? ", loads of types" : "")
        + (startup.HasFlag(StartupEvents.Precompiled) ? ", precompiled methods used" : "");
}
