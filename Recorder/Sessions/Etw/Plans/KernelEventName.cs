namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>Names of a group of kernel events in each tool.</summary>
/// <param name="Events">The group, one bit.</param>
/// <param name="Flag">Flag of <c>xperf -on</c> and of <c>tracelog -eflag</c>, which use the same names.</param>
/// <param name="XperfStacks">Names for <c>xperf -stackwalk</c>, one per event; empty when the events have no stacks.</param>
/// <param name="WprKeyword">Keyword of a SystemProvider in a .wprp file.</param>
/// <param name="WprStacks">Values of a SystemProvider's Stacks in a .wprp file.</param>
/// <param name="TraceEventKeywords">Members of KernelTraceEventParser.Keywords for the events and their stacks.</param>
/// <param name="Brings">What the events are for, in a few words.</param>
/// <param name="Cost">Their cost in words; not measured yet.</param>
public sealed record KernelEventName(
    KernelEvents Events,
    string Flag,
    IReadOnlyList<string> XperfStacks,
    string WprKeyword,
    IReadOnlyList<string> WprStacks,
    IReadOnlyList<string> TraceEventKeywords,
    string Brings,
    string Cost
);
