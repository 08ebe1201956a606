namespace EtwSerializerProfiler.Marks;

/// <summary>Threads that run an operation together with the measuring thread.</summary>
public static class TeamThread
{
    /// <summary>
    /// Begin of their names, a number follows. By it a trace's reader knows that what they do is the run's, and no one else's. Short enough for Linux,
    /// which keeps 15 characters of a name.
    /// </summary>
    public const string NamePrefix = "SuiteThread";
}
