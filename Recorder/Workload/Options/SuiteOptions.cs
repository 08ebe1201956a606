using System.Globalization;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Options;

/// <summary>What a run of the serializer suite is asked to do. Read from a command line by <see cref="SuiteOptionSet"/>, turned back by <see cref="ToArguments"/>.</summary>
public sealed record SuiteOptions
{
    /// <summary>Most objects a graph can have.</summary>
    public const int MaxObjectCount = 1_000_000;

    /// <summary>Most measured runs of one serializer, operation and object count.</summary>
    public const int MaxRuns = 10_000;

    /// <summary>Most processes that make the benchmark.</summary>
    public const int MaxLaunches = 1_000;

    /// <summary>Most threads of a run.</summary>
    public const int MaxThreads = 256;

    /// <summary>Most extra bytes in each object.</summary>
    public const int MaxPayloadBytes = 1_000_000;

    /// <summary>Most payload a whole graph can have, in bytes: more does not fit into one memory stream when the format is a text.</summary>
    public const long MaxGraphPayloadBytes = 1_000_000_000;

    /// <summary>The seed that leaves the serializers in the order of the list.</summary>
    public const int NoSeed = 0;

    /// <summary>Measured runs when <c>-runs</c> is not given.</summary>
    public const int DefaultRuns = 7;

    /// <summary>Processes that share the runs of a row when each serializer has processes of its own and <c>-launches</c> is not given.</summary>
    public const int DefaultLaunches = 4;

    /// <summary>Most seconds that can be asked for.</summary>
    public const int MaxSeconds = 3_600;

    /// <summary>Most memory that the living objects of a scenario take, in MB.</summary>
    public const int MaxSurvivorMegabytes = 100_000;

    /// <summary>Sizes of the living objects when <c>-survivors</c> is not given, in MB.</summary>
    public static readonly IReadOnlyList<int> DefaultSurvivorMegabytes = [0, 50, 200];

    /// <summary>Tests when <c>-test</c> is not given.</summary>
    public static readonly IReadOnlyList<SuiteTest> DefaultTests = [SuiteTest.Serialize, SuiteTest.Deserialize];

    /// <summary>Object counts when <c>-n</c> is not given, for every test but <see cref="SuiteTest.FirstCall"/>.</summary>
    public static readonly IReadOnlyList<int> DefaultObjectCounts = [1_000, 100_000];

    /// <summary>Object counts of <see cref="SuiteTest.FirstCall"/> when <c>-n</c> is not given: one object, so that the first call and not the data is measured.</summary>
    public static readonly IReadOnlyList<int> DefaultFirstCallObjectCounts = [1];

    /// <summary>Counts of threads when <c>-threads</c> is not given.</summary>
    public static readonly IReadOnlyList<int> DefaultThreads = [1];

    /// <summary>Chooses the serializers: one that any of the filters matches takes part. Empty for all.</summary>
    public IReadOnlyList<NamePattern> Serializers { get; init; } = [];

    /// <summary>What is measured, in this order.</summary>
    public IReadOnlyList<SuiteTest> Tests { get; init; } = DefaultTests;

    /// <summary>Object counts as given by <c>-n</c>, empty when it was not given: see <see cref="ObjectCountsOf"/>.</summary>
    public IReadOnlyList<int> ObjectCounts { get; init; } = [];

    /// <summary>Measured runs of each serializer, operation and object count; for a first call, processes.</summary>
    public int Runs { get; init; } = DefaultRuns;

    /// <summary>Counts of threads that every test but <see cref="SuiteTest.FirstCall"/> runs with, one after the other.</summary>
    public IReadOnlyList<int> Threads { get; init; } = DefaultThreads;

    /// <summary>Extra bytes in each object, 0 for none.</summary>
    public int PayloadBytes { get; init; }

    /// <summary>Where serialized data goes and comes from.</summary>
    public StreamKind Stream { get; init; }

    /// <summary>Assembly with the user's own data, <c>ASSEMBLY[!TYPE]</c>; empty for the suite's.</summary>
    public string Data { get; init; } = "";

    /// <summary>Assemblies with serializers of the user's own.</summary>
    public IReadOnlyList<string> Plugins { get; init; } = [];

    /// <summary>Whether serializers that can track references do so.</summary>
    public bool ReferenceTracking { get; init; }

    /// <summary>Seed by which the order of serializers is shuffled, <see cref="NoSeed"/> for none; null for one that the suite chooses and prints.</summary>
    public int? Seed { get; init; }

    /// <summary>Folder that serialized data is written to after the runs; empty for none.</summary>
    public string Keep { get; init; } = "";

    /// <summary>Whether every serializer's round trip is compared with the original, outside the clock.</summary>
    public bool Verify { get; init; }

    /// <summary>Whether measured runs wait for a steady machine and are made again when it was slow.</summary>
    public bool Steady { get; init; }

    /// <summary>Whether each serializer is measured in processes of its own; null when it was not said.</summary>
    public bool? Isolate { get; init; }

    /// <summary>Times that the benchmark is made, each with all of its runs and in processes of its own; null when it was not said: see <see cref="LaunchCount"/>.</summary>
    public int? Launches { get; init; }

    /// <summary>Processes that a row's runs come from: those asked for; else, with <see cref="Isolate"/>, up to <see cref="DefaultLaunches"/> that share the runs; else one.</summary>
    public int LaunchCount => Launches ?? (Isolate == true ? Math.Min(DefaultLaunches, Runs) : 1);

    /// <summary>Name of the scenario that is run instead of the tests, or <see cref="ScenarioCatalog.List"/>; empty for the tests.</summary>
    public string Scenario { get; init; } = "";

    /// <summary>Time of each row of a scenario that runs by time, or of all rows of one that has a limit, in seconds; null for the scenario's own.</summary>
    public int? Seconds { get; init; }

    /// <summary>Memory of the objects that live while a scenario reads, in MB; a row each.</summary>
    public IReadOnlyList<int> SurvivorMegabytes { get; init; } = DefaultSurvivorMegabytes;

    /// <summary>A seed that shuffles, another one at each call.</summary>
    public static int NewSeed() => (int)((uint)Guid.NewGuid().GetHashCode() % 1_000_000) + 1; // short enough to be typed again

    /// <summary>
    /// What one launch does: the serializers in another order each time, its part of the runs where the launches share them, and what is done once only in the first.
    /// </summary>
    /// <param name="launch">Its number, from 1.</param>
    public SuiteOptions OfLaunch(int launch) => this with
    {
        Seed = Seed is { } seed and not NoSeed ? (int)(((long)seed + launch - 2) % int.MaxValue) + 1 : Seed,
        Runs = Launches is null ? (Runs / LaunchCount) + (launch <= Runs % LaunchCount ? 1 : 0) : Runs,
        Keep = launch == 1 ? Keep : "",
        Verify = launch == 1 && Verify,
    };

    /// <summary>Object counts that <paramref name="test"/> runs with: those given, else its default.</summary>
    public IReadOnlyList<int> ObjectCountsOf(SuiteTest test)
        => ObjectCounts.Count > 0 ? ObjectCounts : test == SuiteTest.FirstCall ? DefaultFirstCallObjectCounts : DefaultObjectCounts;

    /// <summary>The arguments that make another process read the same options.</summary>
    public IReadOnlyList<string> ToArguments()
    {
        if (Scenario.Length > 0)
            return ToScenarioArguments();
        var arguments = new List<string>();
        if (Serializers.Count > 0)
            arguments.AddRange([SuiteOptionSet.SerializerName, string.Join(',', Serializers)]);
        arguments.AddRange([SuiteOptionSet.TestName, string.Join(',', Tests).ToLowerInvariant()]);
        if (ObjectCounts.Count > 0)
            arguments.AddRange([SuiteOptionSet.ObjectCountName, string.Join(',', ObjectCounts.Select(Invariant))]);
        arguments.AddRange([SuiteOptionSet.RunsName, Invariant(Runs)]);
        arguments.AddRange([SuiteOptionSet.ThreadsName, string.Join(',', Threads.Select(Invariant))]);
        arguments.AddRange([SuiteOptionSet.PayloadName, Invariant(PayloadBytes)]);
        arguments.AddRange([SuiteOptionSet.StreamName, Stream.ToString().ToLowerInvariant()]);
        if (Data.Length > 0)
            arguments.AddRange([SuiteOptionSet.DataName, Path.GetFullPath(Data)]);
        foreach (var plugin in Plugins)
            arguments.AddRange([SuiteOptionSet.PluginName, Path.GetFullPath(plugin)]);
        if (ReferenceTracking)
            arguments.Add(SuiteOptionSet.ReferenceTrackingName);
        if (Seed is { } seed)
            arguments.AddRange([SuiteOptionSet.SeedName, Invariant(seed)]);
        if (Keep.Length > 0)
            arguments.AddRange([SuiteOptionSet.KeepName, Path.GetFullPath(Keep)]);
        if (Verify)
            arguments.Add(SuiteOptionSet.VerifyName);
        if (Steady)
            arguments.Add(SuiteOptionSet.SteadyName);
        if (Isolate is { } isolate)
            arguments.AddRange([SuiteOptionSet.IsolateName, (isolate ? OnOff.On : OnOff.Off).ToString().ToLowerInvariant()]);
        if (Launches is { } launches)
            arguments.AddRange([SuiteOptionSet.LaunchesName, Invariant(launches)]);
        return arguments;
    }

    /// <summary>Only what the scenario reads: the rest is an error with it.</summary>
    private List<string> ToScenarioArguments()
    {
        var arguments = new List<string> { SuiteOptionSet.ScenarioName, Scenario };
        foreach (var option in ScenarioCatalog.Find(Scenario)?.Options ?? [])
        {
            var value = option switch
            {
                SuiteOptionSet.SerializerName => string.Join(',', Serializers),
                SuiteOptionSet.ObjectCountName => string.Join(',', ObjectCounts.Select(Invariant)),
                SuiteOptionSet.RunsName => Invariant(Runs),
                SuiteOptionSet.ThreadsName => string.Join(',', Threads.Select(Invariant)),
                SuiteOptionSet.SecondsName => Seconds is { } seconds ? Invariant(seconds) : "",
                SuiteOptionSet.SurvivorsName => string.Join(',', SurvivorMegabytes.Select(Invariant)),
                _ => throw new InvalidOperationException($"{option} is not an option that scenarios read."),
            };
            if (value.Length > 0)
                arguments.AddRange([option, value]);
        }

        return arguments;
    }

    private static string Invariant(int value) => value.ToString(CultureInfo.InvariantCulture);
}

/// <summary>What the suite measures; values of <c>-test</c>.</summary>
public enum SuiteTest
{
    /// <summary>Object graph to bytes.</summary>
    Serialize = 0,

    /// <summary>Bytes to object graph, every object touched once.</summary>
    Deserialize = 1,

    /// <summary>Serialize and deserialize of one graph in one run.</summary>
    Combined = 2,

    /// <summary>The start of the runtime, construction of the serializer, its first serialize and its first deserialize, each in a fresh process.</summary>
    FirstCall = 3,
}

/// <summary>Values of options that turn something on or off.</summary>
public enum OnOff
{
    /// <summary>Turned off.</summary>
    Off = 0,

    /// <summary>Turned on.</summary>
    On = 1,
}

/// <summary>Where serialized data goes and comes from; values of <c>-stream</c>.</summary>
public enum StreamKind
{
    /// <summary>A memory stream that is reused, so that its growth is not charged to measured runs.</summary>
    Memory = 0,

    /// <summary>A temporary file.</summary>
    File = 1,
}
