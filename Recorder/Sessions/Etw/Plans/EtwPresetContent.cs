using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>The user sessions of each purpose.</summary>
/// <param name="Sessions">The sessions; their buffers are set later.</param>
internal sealed record EtwPresetContent(IReadOnlyList<EtwUserSession> Sessions)
{
    /// <summary>Placeholder until the plan knows the machine.</summary>
    private static readonly EtwBuffers s_noBuffers = new(0, 0, 0);

    private const EventKinds ClrKinds = EventKinds.Gc | EventKinds.Contention;

    /// <summary>
    /// Exceptions by the keyword that every .NET Framework has; nobody has tried <see cref="RuntimeKeywords.Monitoring"/> on Windows.
    /// </summary>
    private const RuntimeKeywords Exceptions = RuntimeKeywords.Exception;
    private const EventKinds NameKinds = EventKinds.Jit | EventKinds.MethodCode | EventKinds.AssemblyLoads;

    private const string RundownPurpose = "names of methods when a process ends";

    /// <summary>The sessions for the chosen options.</summary>
    public static EtwPresetContent Of(EtwPlanOptions options)
    {
        var exceptions = options.Purpose == EtwPurpose.Exceptions;
        var startup = options.Startup ?? (options.Purpose == EtwPurpose.FirstCall ? StartupEvents.All : StartupEvents.None);
        var allocation =
            options.Allocation == AllocationEvents.None && options.Purpose == EtwPurpose.Allocation
                ? AllocationEvents.Ticks
                : options.Allocation;
        var inlined = options.InlineInfo && !exceptions;
        var clr = Clr(options, allocation, exceptions);
        var code = Code(options, startup, inlined, exceptions);
        List<EtwUserSession> sessions = options.SingleSession ? [Joined(options, clr, code, allocation)] : [clr, code];
        if (allocation == AllocationEvents.Ticks && !options.SingleSession)
            sessions.Add(Ticks(options));
        return new EtwPresetContent(sessions);
    }

    private static EtwUserSession Clr(EtwPlanOptions options, AllocationEvents allocation, bool exceptions)
    {
        var sampled = allocation == AllocationEvents.Sampled ? EventKinds.AllocationSamples : EventKinds.None;
        EtwEventFilter stacks = exceptions
            ? EtwEventFilter.Only(RuntimeEventIds.ExceptionThrown)
            : EtwEventFilter.Only([
                RuntimeEventIds.ExceptionThrown,
                RuntimeEventIds.ContentionStart,
                RuntimeEventIds.GcTriggered,
                .. sampled != 0 ? [RuntimeEventIds.AllocationSampled] : (int[])[],
            ]);
        var runtime = Runtime(
            exceptions
                ? Exceptions
                : EventOrigins.Keywords(ClrKinds | sampled) | Exceptions | RuntimeKeywords.Threading | RuntimeKeywords.Type,
            EtwLevel.Informational,
            exceptions
                ? "thrown exceptions"
                : "GCs and their pauses, exceptions, lock contention" + (sampled != 0 ? ", sampled allocations" : ""),
            options,
            stacks
        );
        return Session(options, EtwUserSession.Clr, [runtime, EtwProviders.RunMarks()], $"{runtime.Purpose}, run marks");
    }

    private static EtwUserSession Code(EtwPlanOptions options, StartupEvents startup, bool inlined, bool exceptions)
    {
        var kinds = NameKinds | (exceptions ? EventKinds.None : EventKinds.Waits) | EventPipePlan.Kinds(startup);
        var lines = options.Lines && !exceptions; // at Verbose: where only names are recorded, the rundown alone has them
        var inlinees = inlined ? RuntimeKeywords.MethodDetails | RuntimeKeywords.Type : RuntimeKeywords.None;
        var runtime = Runtime(
            EventOrigins.Keywords(kinds) | inlinees | (lines ? RuntimeKeywords.JittedMethodILToNativeMap : RuntimeKeywords.None),
            exceptions ? EtwLevel.Informational : EtwLevel.Verbose,
            exceptions
                ? "names of methods"
                : "JIT compilation, waits, names of methods"
                    + (lines ? EtwProviders.LinesPurpose : "")
                    + (startup == StartupEvents.None ? "" : ", events of first calls"),
            options,
            exceptions ? null : EtwEventFilter.Only(RuntimeEventIds.MethodJittingStarted)
        );
        // A stack for each loaded method and each wait would cost more than the compilation that it explains.
        runtime = runtime with
        {
            StacksWithoutFilter = false,
        };
        var trees = inlined
            ?
            [
                new EtwProvider(
                    EventPipePlan.PrivateProvider,
                    EtwProviders.Private,
                    EventPipePlan.InlineTreeKeyword,
                    EtwLevel.Verbose,
                    "inlined methods (DOTNET_RichDebugInfo=1)"
                ),
            ]
            : (EtwProvider[])[];
        return Session(
            options,
            EtwUserSession.Code,
            [runtime, EtwProviders.RundownProvider(RundownPurpose, options.Lines), .. trees],
            runtime.Purpose + (inlined ? ", inlined methods" : "")
        );
    }

    /// <summary>Joins both sessions at the higher level.</summary>
    private static EtwUserSession Joined(EtwPlanOptions options, EtwUserSession clr, EtwUserSession code, AllocationEvents allocation)
    {
        var (first, second) = (clr.Providers[0], code.Providers[0]);
        var level = (EtwLevel)Math.Max((int)first.Level, (int)second.Level);
        var ticks = allocation == AllocationEvents.Ticks;
        var runtime = first with
        {
            Keywords = first.Keywords | second.Keywords,
            Level = level,
            Purpose = $"{first.Purpose}, {second.Purpose}" + (ticks ? ", allocation ticks" : ""),
            StackFilter =
                options.StackFilter
                ?? EtwEventFilter.Only([
                    .. first.StackFilter?.Ids ?? [],
                    .. second.StackFilter?.Ids ?? [],
                    .. ticks ? [RuntimeEventIds.AllocationTick] : (int[])[],
                ]),

            // The only event of these keywords at Verbose that is frequent enough to lengthen pauses.
            EventFilter =
                options.EventFilter ?? (ticks || level < EtwLevel.Verbose ? null : EtwEventFilter.Without(RuntimeEventIds.AllocationTick)),
        };
        return Session(
            options,
            EtwUserSession.Clr,
            [runtime, .. clr.Providers.Skip(1), .. code.Providers.Skip(1)],
            $"{clr.Purpose}, {code.Purpose}"
        );
    }

    private static EtwUserSession Ticks(EtwPlanOptions options)
    {
        var runtime = Runtime(
            EventOrigins.Keywords(EventKinds.AllocationTicks),
            EtwLevel.Verbose,
            "allocation ticks",
            options,
            EtwEventFilter.Only(RuntimeEventIds.AllocationTick)
        );
        runtime = runtime with { EventFilter = options.EventFilter ?? EtwEventFilter.Only(RuntimeEventIds.AllocationTick) };
        return Session(
            options,
            EtwUserSession.Allocation,
            [runtime],
            "allocation ticks, separate from the GCs because Verbose GC events can lengthen pauses"
        );
    }

    private static EtwProvider Runtime(
        RuntimeKeywords keywords,
        EtwLevel level,
        string purpose,
        EtwPlanOptions options,
        EtwEventFilter? stacks
    ) =>
        new(EventOrigins.RuntimeProvider, EtwProviders.Runtime, (ulong)keywords, level, purpose)
        {
            Stacks = stacks is not null,
            StacksWithoutFilter = stacks is not null,
            StackFilter = stacks is null ? null : options.StackFilter ?? stacks,
            EventFilter = options.EventFilter,
        };

    private static EtwUserSession Session(EtwPlanOptions options, string role, IReadOnlyList<EtwProvider> providers, string purpose) =>
        new(role, options.SessionPrefix + role, providers, s_noBuffers, purpose);
}
