using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>A part of a recording that can be switched on alone in a running program.</summary>
/// <param name="Name">Its name in tables.</param>
/// <param name="Kernel">The perf events; null for none.</param>
/// <param name="Sessions">The runtime's sessions.</param>
internal sealed record RecordedPart(string Name, PerfEventPlan? Kernel, IReadOnlyList<PlannedSession> Sessions)
{
    /// <summary>A second sample rate, which shows what one sample costs.</summary>
    private const int ManySamplesHz = 4000;

    /// <summary>
    /// What can be recorded of a program of one's own: nothing, then each part alone, then parts together as by default.
    /// </summary>
    public static IReadOnlyList<RecordedPart> All()
    {
        var samples = Plan(PerfEventPlan.DefaultStackDumpBytes, 0);
        var all = Plan(PerfEventPlan.ProgramStackDumpBytes, PerfEventPlan.DefaultSwitchStackBytes);
        var switches = PerfEventPlan.Create(PerfEventScope.Attach, samples: false, switchStackBytes: PerfEventPlan.DefaultSwitchStackBytes);
        var sessions = EventPipePlan
            .Create(EventPipePlan.SessionNames, AllocationEvents.Sampled, inlineeTypes: false, requests: true)
            .Where(session => session.IsFor(Environment.Version.Major))
            .ToList();
        return
        [
            new("nothing", null, []),
            new("CPU samples at 1 kHz without call chains", SamplesOnly(samples, PerfSampleFields.CallChain, hasStack: false), []),
            new("with call chains", SamplesOnly(samples, PerfSampleFields.None, hasStack: false), []),
            new($"with call chains, {PerfEventPlan.DefaultStackDumpBytes} bytes of stack", SamplesOnly(samples), []),
            new($"with call chains, {PerfEventPlan.ProgramStackDumpBytes} bytes of stack", SamplesOnly(all), []),
            new($"the same at {ManySamplesHz} Hz", SamplesOnly(Plan(PerfEventPlan.ProgramStackDumpBytes, 0, ManySamplesHz)), []),
            new("context switches", switches with { Events = [switches.Events[0]] }, []),
            .. switches
                .Events.Skip(1)
                .Select(item =>
                    item.Settings.StackUserBytes > 0
                        // Their number is limited by the count of switches.
                        ? new RecordedPart(
                            $"with {item.Settings.StackUserBytes} bytes of stack ({item.Name})",
                            switches with
                            {
                                Events = [switches.Events[0], item],
                            },
                            []
                        )
                        : new RecordedPart(item.Name, switches with { Events = [WithoutSwitches(switches.Events[0]), item] }, [])
                ),
            new("all perf events", all, []),
            .. EventOrigins.All.Where(origin => origin.Provider == EventOrigins.RuntimeProvider).Select(Runtime),
            .. sessions
                .SelectMany(session => session.Providers)
                .Where(provider => provider.Name != EventOrigins.RuntimeProvider)
                .Select(provider => new RecordedPart($"provider {provider.Name}", null, [Session("provider", provider)])),
            .. sessions.Select(session => new RecordedPart($"session {session.Name}", null, [session])),
            new("everything", all, sessions),
        ];
    }

    private static PerfEventPlan Plan(int stackDumpBytes, int switchStackBytes, int sampleRateHz = PerfEventPlan.DefaultSampleRateHz) =>
        PerfEventPlan.Create(PerfEventScope.Attach, sampleRateHz, stackDumpBytes: stackDumpBytes, switchStackBytes: switchStackBytes);

    private static PerfEventPlan SamplesOnly(PerfEventPlan plan, PerfSampleFields without = PerfSampleFields.None, bool hasStack = true)
    {
        var samples = WithoutSwitches(plan.Events[0]);
        var stack = hasStack ? PerfSampleFields.None : PerfSampleFields.RegistersUser | PerfSampleFields.StackUser;
        var settings = samples.Settings with { SampleFields = samples.Settings.SampleFields & ~(without | stack) };
        return plan with
        {
            Events = [samples with { Settings = hasStack ? settings : settings with { RegistersUser = 0, StackUserBytes = 0 } }],
        };
    }

    private static PlannedPerfEvent WithoutSwitches(PlannedPerfEvent item) =>
        item with
        {
            Settings = item.Settings with { Bits = item.Settings.Bits & ~PerfEventBits.ContextSwitch },
        };

    /// <summary>A session of the runtime's events of one kind.</summary>
    private static RecordedPart Runtime(EventOrigin origin) =>
        new(
            $"{origin.Kind} (runtime, {origin.Level})",
            null,
            [Session($"{origin.Kind}", PlannedProvider.Create(origin.Provider, (ulong)origin.Keywords, $"{origin.Level}"))]
        );

    private static PlannedSession Session(string name, PlannedProvider provider) =>
        new(name, [provider], Rundown: false, BufferMegabytes: 256, Purpose: "");
}
