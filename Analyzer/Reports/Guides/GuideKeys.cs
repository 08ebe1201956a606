namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>Keys of a guide's steps: names of their folders, and of the file of features.</summary>
public static class GuideKeys
{
    /// <summary>Runs over object counts.</summary>
    public const string Throughput = "throughput";

    /// <summary>First calls.</summary>
    public const string FirstCalls = "firstcalls";

    /// <summary>Runs on several threads.</summary>
    public const string Threads = "threads";

    /// <summary>Runs on several runtimes.</summary>
    public const string Runtimes = "runtimes";

    /// <summary>The feature table.</summary>
    public const string Features = "features.csv";

    /// <summary>Beginning of the keys of scenarios; the name of the scenario follows.</summary>
    public const string ScenarioPrefix = "scenario-";
}
