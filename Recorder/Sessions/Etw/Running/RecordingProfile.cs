using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Profiles;
using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>The WPR profile of one recording: its plan, and nothing else.</summary>
internal static class RecordingProfile
{
    /// <summary>Text of the .wprp file.</summary>
    public static string Of(EtwPlan plan)
    {
        using var text = new StringWriter { NewLine = "\n" };
        WprpFile.Write(
            new WprpProfile(WprProfileNames.Of(plan.Purpose), $"EtwSerializerProfiler: {plan.Purpose}", [new WprpVariant(WprpDetail.Verbose, plan)]),
            text,
            "Sessions of one recording, written by esp-record record --sessions wpr");
        return text.ToString();
    }
}
