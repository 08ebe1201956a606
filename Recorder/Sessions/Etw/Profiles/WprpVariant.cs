using EtwSerializerProfiler.Sessions.Etw.Plans;

namespace EtwSerializerProfiler.Sessions.Etw.Profiles;

/// <summary>One profile of a .wprp file, which has one per detail level and logging mode.</summary>
/// <param name="Detail">Detail level.</param>
/// <param name="Plan">Plan of the profile; its mode is the logging mode.</param>
public sealed record WprpVariant(WprpDetail Detail, EtwPlan Plan)
{
    /// <summary>WPR's name of the logging mode.</summary>
    public string LoggingMode => Plan.IsCircular ? "Memory" : "File";
}
