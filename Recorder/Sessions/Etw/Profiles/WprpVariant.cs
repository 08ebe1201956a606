using EtwSerializerProfiler.Sessions.Etw.Plans;

namespace EtwSerializerProfiler.Sessions.Etw.Profiles;

/// <summary>One profile of a .wprp file: WPR has one for each detail level and logging mode.</summary>
/// <param name="Detail">Detail level.</param>
/// <param name="Plan">What it records; its mode is the logging mode.</param>
public sealed record WprpVariant(WprpDetail Detail, EtwPlan Plan)
{
    /// <summary>Logging mode as WPR calls it.</summary>
    public string LoggingMode => Plan.IsCircular ? "Memory" : "File";
}
