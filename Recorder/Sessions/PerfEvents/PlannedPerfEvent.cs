using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>An event of a perf session as planned.</summary>
/// <param name="Name">Name as perf writes it: <c>cpu-clock:u</c>, <c>sched:sched_switch</c>.</param>
/// <param name="Settings">Settings for perf_event_open.</param>
/// <param name="AllThreads">Whether it is opened for every thread of the machine, regardless of the plan's scope.</param>
/// <param name="Purpose">Its purpose, one line.</param>
public sealed record PlannedPerfEvent(string Name, PerfEventSettings Settings, bool AllThreads, string Purpose);
