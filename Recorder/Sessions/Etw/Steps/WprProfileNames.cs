using EtwSerializerProfiler.Sessions.Etw.Plans;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>Names of WPR profiles: of those in Profiles/ and of the one that a recording writes for itself.</summary>
public static class WprProfileNames
{
    /// <summary>Profile that a recording writes into its folder.</summary>
    public const string FileName = "sessions.wprp";

    /// <summary>Name of a purpose's profile (and of its file in Profiles/): the first part of <c>Name.Verbose.File</c>.</summary>
    public static string Of(EtwPurpose purpose) => purpose switch
    {
        EtwPurpose.Allocation => "Allocation",
        EtwPurpose.FirstCall => "FirstCall",
        EtwPurpose.Exceptions => "ExceptionsOnly",
        _ => "SerializerRuns",
    };
}
