using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>
/// Plans the EventPipe sessions of a recording. Data only: printed by <c>--dry-run</c>, tested, and stored in recording.json.
/// </summary>
/// <remarks>
/// Two sessions, because a provider has one level per session: at Verbose the GC keyword adds an event per 100 KB allocated, and at
/// Informational the wait and JIT-start events are missing. Naming a provider twice in one session silently keeps its first entry. Types
/// (keyword Type) are needed for inlined methods, so only the code session has that keyword. It also gets a BulkType event for each
/// finalized object: the runtime checks FinalizeObject against the sum of all sessions of the process, which together have the GC keyword
/// and level Verbose. Millions of these events made a program five times slower. So programs of the user's own and benchmarks of
/// BenchmarkDotNet are recorded without types, and IL names the inlined methods (UntypedInlinees). The suite finalizes nothing, and IL
/// cannot name inlined methods of its emitted code.
/// <para>
/// Lock contention belongs to the code session, though Informational suffices. The first event that a thread writes to a session makes the
/// runtime allocate a buffer for the two, some 30 µs. A thread that starts often waits for a lock, which writes both events of waits and of
/// contention; with one session for them, it pays once (docs/performance.md).
/// </para>
/// <para>
/// Keyword Threading is recorded only where context switches have no stacks: its event at a pool worker's wait for work then is all that
/// distinguishes idle workers from work items that sleep.
/// </para>
/// </remarks>
public static class EventPipePlan
{
    /// <summary>Name of the session for GCs, exceptions and run marks; also for lock contention where no code is recorded.</summary>
    public const string ClrSession = "clr";

    /// <summary>Name of the session for code, waits, lock contention and method names.</summary>
    public const string CodeSession = "code";

    /// <summary>Name of the session for allocation ticks.</summary>
    public const string AllocationSession = "alloc";

    /// <summary>Name of the session of the sample profiler.</summary>
    public const string SampleSession = "sample";

    /// <summary>Name of the session for the steps of async methods.</summary>
    public const string AsyncSession = "async";

    /// <summary>Caveat wherever samples of the sample profiler are planned.</summary>
    public const string SampleProfilerCaveat = "CPU samples by EventPipe's sample profiler: managed frames at safe points";

    /// <summary>Keywords that dotnet-trace passes to the sample profiler; without any, it sends nothing.</summary>
    private const ulong SampleKeywords = 0xF00000000000;

    /// <summary>The runtime's private provider.</summary>
    public const string PrivateProvider = "Microsoft-Windows-DotNETRuntimePrivate";

    /// <summary>
    /// Keyword of the private provider for rich debug information: inline trees of programs started with DOTNET_RichDebugInfo=1.
    /// </summary>
    internal const ulong InlineTreeKeyword = 0x40000;

    private const string Informational = nameof(Informational);

    private const string Verbose = nameof(Verbose);

    /// <summary>
    /// Buffer of a session in the recorded process. It must hold rundowns and bursts of JIT events while the recorder is not scheduled.
    /// </summary>
    private const int BufferMegabytes = 256;

    /// <summary>Major version of the first runtime that can leave out the stacks of events (IPC command CollectTracing3).</summary>
    private const int FirstRuntimeWithoutStacks = 8;

    /// <summary>Major version of the first runtime with sampled allocations.</summary>
    private static readonly int s_firstSamplingRuntime = EventOrigins
        .All.Single(origin => origin.Kind == EventKinds.AllocationSamples)
        .FirstVersion;

    private static readonly PlannedProvider s_requests = PlannedProvider.Create(
        RequestProvider.Name,
        RequestProvider.Keywords,
        Informational
    ) with
    {
        Arguments = new Dictionary<string, string> { [RequestProvider.ArgumentName] = RequestProvider.Argument },
    };

    /// <summary>Names of all sessions that can be chosen, in the order of their start.</summary>
    public static IReadOnlyList<string> SessionNames { get; } = [ClrSession, CodeSession];

    /// <summary>Whether sessions record inline trees.</summary>
    public static bool HasInlineTrees(IReadOnlyList<PlannedSession> sessions) =>
        sessions.Any(session => session.Providers.Any(provider => provider.Name == PrivateProvider));

    /// <summary>Plans the sessions.</summary>
    /// <param name="sessions">Which of <see cref="SessionNames"/>.</param>
    /// <param name="allocation">Allocation events.</param>
    /// <param name="sampleProfiler">Whether to add the sample profiler in a session of its own.</param>
    /// <param name="inlineInfo">Whether the code session records inlined methods.</param>
    /// <param name="startup">Events of first calls, added to the code session.</param>
    /// <param name="inlineeTypes">Whether inlined methods come with their types.</param>
    /// <param name="requests">Whether to record HTTP requests.</param>
    /// <param name="asyncCallers">Whether to record which async method awaits which, in a session of its own.</param>
    /// <param name="workerWaits">Whether the code session records when workers of the thread pool have no work.</param>
    public static IReadOnlyList<PlannedSession> Create(
        IReadOnlyCollection<string> sessions,
        AllocationEvents allocation,
        bool sampleProfiler = false,
        bool inlineInfo = true,
        StartupEvents startup = StartupEvents.None,
        bool inlineeTypes = true,
        bool requests = false,
        bool asyncCallers = false,
        bool workerWaits = false
    )
    {
        ArgumentNullException.ThrowIfNull(sessions);
        var plan = new List<PlannedSession>();
        var hasCode = sessions.Contains(CodeSession);
        if (sessions.Contains(ClrSession))
        {
            var sampled = allocation == AllocationEvents.Sampled ? EventKinds.AllocationSamples : 0;
            plan.Add(
                new PlannedSession(
                    ClrSession,
                    [
                        PlannedProvider.Create(
                            EventOrigins.RuntimeProvider,
                            (ulong)
                                EventOrigins.Keywords(
                                    EventKinds.Gc | EventKinds.Exceptions | sampled | (hasCode ? EventKinds.None : EventKinds.Contention)
                                ),
                            Informational
                        ),
                        PlannedProvider.Create(RunEventSource.ProviderName, ulong.MaxValue, Informational),
                        PlannedProvider.Create(BenchmarkProvider.Name, ulong.MaxValue, Informational),
                        .. requests ? [s_requests] : (PlannedProvider[])[],
                    ],
                    Rundown: false,
                    BufferMegabytes,
                    $"GCs and their pauses, exceptions{(hasCode ? "" : ", lock contention")}, run marks, iterations of BenchmarkDotNet"
                        + (sampled != 0 ? ", sampled allocations" : "")
                        + (requests ? ", HTTP requests" : "")
                )
            );
        }

        if (hasCode)
        {
            var inlinees = inlineInfo ? RuntimeKeywords.MethodDetails | (inlineeTypes ? RuntimeKeywords.Type : 0) : 0;
            plan.Add(
                new PlannedSession(
                    CodeSession,
                    [
                        PlannedProvider.Create(
                            EventOrigins.RuntimeProvider,
                            (ulong)(
                                EventOrigins.Keywords(
                                    EventKinds.Jit
                                        | EventKinds.MethodCode
                                        | EventKinds.AssemblyLoads
                                        | EventKinds.Waits
                                        | EventKinds.Contention
                                        | (workerWaits ? EventKinds.WorkerWaits : 0)
                                        | Kinds(startup)
                                ) | inlinees
                            ),
                            Verbose
                        ),
                        .. inlineInfo ? [PlannedProvider.Create(PrivateProvider, InlineTreeKeyword, Verbose)] : (PlannedProvider[])[],
                    ],
                    Rundown: true,
                    BufferMegabytes,
                    "JIT compilation, waits, lock contention, names of methods" + (inlineInfo ? ", inlined methods" : "") + Purpose(startup)
                )
            );
        }

        if (allocation == AllocationEvents.Ticks || (allocation == AllocationEvents.Sampled && sessions.Contains(ClrSession)))
        {
            plan.Add(
                new PlannedSession(
                    AllocationSession,
                    [
                        PlannedProvider.Create(
                            EventOrigins.RuntimeProvider,
                            (ulong)EventOrigins.Keywords(EventKinds.AllocationTicks),
                            Verbose
                        ),
                    ],
                    Rundown: false,
                    BufferMegabytes,
                    "allocation ticks, separate from the GCs because Verbose GC events can lengthen pauses"
                )
                {
                    RuntimesBefore = allocation == AllocationEvents.Sampled ? s_firstSamplingRuntime : null,
                }
            );
        }

        if (asyncCallers)
        {
            plan.Add(
                new PlannedSession(
                    AsyncSession,
                    [PlannedProvider.Create(TaskProvider.Name, TaskProvider.Keywords, Informational)],
                    Rundown: false,
                    BufferMegabytes,
                    "awaits and continuations of async methods, without stacks"
                )
                {
                    HasNoStacks = true,
                    RuntimesFrom = FirstRuntimeWithoutStacks,
                }
            );
        }

        if (sampleProfiler)
        {
            plan.Add(
                new PlannedSession(
                    SampleSession,
                    [
                        PlannedProvider.Create(EventOrigins.SampleProfiler, SampleKeywords, Informational),
                        // Other tools search method names in the same file.
                        PlannedProvider.Create(
                            EventOrigins.RuntimeProvider,
                            (ulong)EventOrigins.Keywords(EventKinds.MethodCode | EventKinds.AssemblyLoads),
                            Informational
                        ),
                    ],
                    Rundown: true,
                    BufferMegabytes,
                    SampleProfilerCaveat
                )
            );
        }

        return plan;
    }

    /// <summary>Event kinds for first calls.</summary>
    internal static EventKinds Kinds(StartupEvents startup) =>
        (startup.HasFlag(StartupEvents.Assemblies) ? EventKinds.AssemblyBinds : 0)
        | (startup.HasFlag(StartupEvents.Types) ? EventKinds.TypeLoads : 0)
        | (startup.HasFlag(StartupEvents.Precompiled) ? EventKinds.PrecompiledMethods : 0);

    private static string Purpose(StartupEvents startup) =>
        (startup.HasFlag(StartupEvents.Assemblies) ? ", assembly binds" : "")
        + (startup.HasFlag(StartupEvents.Types) ? ", type loads" : "")
        + (startup.HasFlag(StartupEvents.Precompiled) ? ", used precompiled methods" : "");
}
