using EtwSerializerProfiler.Analysis.Profiles;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>What is written.</summary>
/// <param name="Profile">The samples.</param>
/// <param name="Facts">What is to be known of them.</param>
public sealed record ProfileDocument(SampleProfile Profile, ProfileFacts Facts)
{
    /// <summary>A number for each process that no other has: ids of processes of different recordings may be the same.</summary>
    public int ProcessNumber(ProfileThread thread)
    {
        ArgumentNullException.ThrowIfNull(thread);
        var labels = Profile.Threads.Select(item => item.Process.Recording).Distinct().ToList();
        return labels.Count == 1
            ? thread.Process.ProcessId
            : (labels.IndexOf(thread.Process.Recording) * ProcessesOfRecording) + thread.Process.ProcessId;
    }

    /// <summary>More than process ids have digits: pid_max is 4,194,304 at most on Linux.</summary>
    private const int ProcessesOfRecording = 10_000_000;

    /// <summary>Program of a thread's process, of one of several recordings with its label.</summary>
    public static string ProcessName(ProfileThread thread)
    {
        ArgumentNullException.ThrowIfNull(thread);
        return thread.Process.Recording.Length > 0 ? $"{thread.Process.Recording}: {thread.Program}" : thread.Program;
    }
}
