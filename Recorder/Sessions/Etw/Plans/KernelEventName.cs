namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>What the tools call a group of kernel events.</summary>
/// <param name="Events">The group, one bit.</param>
/// <param name="Flag">Flag of <c>xperf -on</c> and of <c>tracelog -eflag</c>, which have the same names.</param>
/// <param name="XperfStacks">Names for <c>xperf -stackwalk</c>: an event each, empty where the group's events have no stack.</param>
/// <param name="WprKeyword">Keyword of a SystemProvider in a .wprp file.</param>
/// <param name="WprStacks">Values of a SystemProvider's Stacks in a .wprp file.</param>
/// <param name="TraceEventKeywords">Members of KernelTraceEventParser.Keywords, for the events and for their stacks.</param>
/// <param name="Brings">What it is for, a few words.</param>
/// <param name="Cost">What it costs, in words; measured nowhere yet.</param>
public sealed record KernelEventName(
    KernelEvents Events,
    string Flag,
    IReadOnlyList<string> XperfStacks,
    string WprKeyword,
    IReadOnlyList<string> WprStacks,
    IReadOnlyList<string> TraceEventKeywords,
    string Brings,
    string Cost);
