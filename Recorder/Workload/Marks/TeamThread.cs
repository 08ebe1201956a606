namespace EtwSerializerProfiler.Marks;

/// <summary>Threads that run an operation together with the measuring thread.</summary>
public static class TeamThread
{
    /// <summary>
    /// Prefix of their names, followed by a number. It shows readers of a trace that the work of these threads belongs to the run. Short
    /// enough for Linux, which keeps 15 characters of a name.
    /// </summary>
    public const string NamePrefix = "SuiteThread";
}
