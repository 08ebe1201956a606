using EtwSerializerProfiler.Sessions.Etw.Plans;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>Names of the WPR profiles in Profiles/ and of the profile that a recording writes.</summary>
public static class WprProfileNames
{
    /// <summary>Name of the profile that a recording writes into its folder.</summary>
    public const string FileName = "sessions.wprp";

    /// <summary>Name of a purpose's profile and of its file in Profiles/: the first part of <c>Name.Verbose.File</c>.</summary>
    public static string Of(EtwPurpose purpose) =>
        purpose switch
        {
            EtwPurpose.Allocation => "Allocation",
            EtwPurpose.FirstCall => "FirstCall",
            EtwPurpose.Exceptions => "ExceptionsOnly",
            _ => "SerializerRuns",
        };
}
