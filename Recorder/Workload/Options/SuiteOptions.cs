using System.Globalization;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Options;

/// <summary>
/// Options of a suite run. <see cref="SuiteOptionSet"/> parses them from a command line; <see cref="ToArguments"/> formats them.
/// </summary>
public sealed record SuiteOptions
{
    /// <summary>Maximum number of objects in a graph.</summary>
    public const int MaxObjectCount = 1_000_000;

    /// <summary>Maximum number of measured runs of one serializer, operation and object count.</summary>
    public const int MaxRuns = 10_000;

    /// <summary>Maximum number of launches.</summary>
    public const int MaxLaunches = 1_000;

    /// <summary>Maximum number of threads of a run.</summary>
    public const int MaxThreads = 256;

    /// <summary>Maximum extra bytes in each object.</summary>
    public const int MaxPayloadBytes = 1_000_000;

    /// <summary>Maximum payload of a whole graph in bytes; more does not fit into one memory stream in a text format.</summary>
    public const long MaxGraphPayloadBytes = 1_000_000_000;

    /// <summary>The seed for the order of the list.</summary>
    public const int NoSeed = 0;

    /// <summary>Default number of measured runs.</summary>
    public const int DefaultRuns = 7;

    /// <summary>Default number of processes that share the runs of a row when each serializer has its own processes.</summary>
    public const int DefaultLaunches = 4;

    /// <summary>Maximum number of seconds.</summary>
    public const int MaxSeconds = 3_600;

    /// <summary>Maximum memory of a scenario's live objects in MB.</summary>
    public const int MaxSurvivorMegabytes = 100_000;

    /// <summary>Default sizes of a scenario's live objects in MB.</summary>
    public static readonly IReadOnlyList<int> DefaultSurvivorMegabytes = [0, 50, 200];

    /// <summary>Default tests.</summary>
    public static readonly IReadOnlyList<SuiteTest> DefaultTests = [SuiteTest.Serialize, SuiteTest.Deserialize];

    /// <summary>Default object counts of all tests but <see cref="SuiteTest.FirstCall"/>.</summary>
    public static readonly IReadOnlyList<int> DefaultObjectCounts = [1_000, 100_000];

    /// <summary>
    /// Default object counts of <see cref="SuiteTest.FirstCall"/>: one object, so that the first call is measured and not the data.
    /// </summary>
    public static readonly IReadOnlyList<int> DefaultFirstCallObjectCounts = [1];

    /// <summary>Default thread counts.</summary>
    public static readonly IReadOnlyList<int> DefaultThreads = [1];

    /// <summary>Filters for serializers; a serializer takes part if any filter matches. Empty for all.</summary>
    public IReadOnlyList<NamePattern> Serializers { get; init; } = [];

    /// <summary>The tests in order.</summary>
    public IReadOnlyList<SuiteTest> Tests { get; init; } = DefaultTests;

    /// <summary>Object counts of <c>-n</c>; empty for the default. See <see cref="ObjectCountsOf"/>.</summary>
    public IReadOnlyList<int> ObjectCounts { get; init; } = [];

    /// <summary>Measured runs of each serializer, operation and object count; for a first call, number of processes.</summary>
    public int Runs { get; init; } = DefaultRuns;

    /// <summary>Thread counts of every test but <see cref="SuiteTest.FirstCall"/>, one after the other.</summary>
    public IReadOnlyList<int> Threads { get; init; } = DefaultThreads;

    /// <summary>Extra bytes in each object; 0 for none.</summary>
    public int PayloadBytes { get; init; }

    /// <summary>Target and source of serialized data.</summary>
    public StreamKind Stream { get; init; }

    /// <summary>Assembly with the user's own data, <c>ASSEMBLY[!TYPE]</c>; empty for the suite's own data.</summary>
    public string Data { get; init; } = "";

    /// <summary>Assemblies with the user's own serializers.</summary>
    public IReadOnlyList<string> Plugins { get; init; } = [];

    /// <summary>Whether serializers that can track references do so.</summary>
    public bool ReferenceTracking { get; init; }

    /// <summary>Seed for shuffling the serializers; <see cref="NoSeed"/> for none, null for a new seed that the suite prints.</summary>
    public int? Seed { get; init; }

    /// <summary>Folder for serialized data after the runs; empty for none.</summary>
    public string Keep { get; init; } = "";

    /// <summary>Whether to compare every serializer's round trip with the original, outside the measured time.</summary>
    public bool Verify { get; init; }

    /// <summary>Whether measured runs wait for a steady machine and are repeated when it was slow.</summary>
    public bool Steady { get; init; }

    /// <summary>Whether to measure each serializer in its own processes; null for the default.</summary>
    public bool? Isolate { get; init; }

    /// <summary>Number of launches, each in new processes and with all runs; null for the default: see <see cref="LaunchCount"/>.</summary>
    public int? Launches { get; init; }

    /// <summary>
    /// Number of processes that provide a row's runs: the given number; otherwise, with <see cref="Isolate"/>, up to
    /// <see cref="DefaultLaunches"/> that share the runs; otherwise one.
    /// </summary>
    public int LaunchCount => Launches ?? (Isolate == true ? Math.Min(DefaultLaunches, Runs) : 1);

    /// <summary>Name of the scenario to run instead of the tests, or <see cref="ScenarioCatalog.List"/>; empty for the tests.</summary>
    public string Scenario { get; init; } = "";

    /// <summary>
    /// Time of each row of a timed scenario, or of all rows of a scenario with a limit, in seconds; null for the scenario's default.
    /// </summary>
    public int? Seconds { get; init; }

    /// <summary>Memory of the objects that are alive while a scenario reads, in MB, one row each.</summary>
    public IReadOnlyList<int> SurvivorMegabytes { get; init; } = DefaultSurvivorMegabytes;

    /// <summary>Returns a different seed at each call.</summary>
    public static int NewSeed() => (int)((uint)Guid.NewGuid().GetHashCode() % 1_000_000) + 1; // short enough to type

    /// <summary>
    /// Options of one launch: another order of serializers, its part of the runs if the launches share them, and one-time work only in the
    /// first.
    /// </summary>
    /// <param name="launch">Its number, from 1.</param>
    public SuiteOptions OfLaunch(int launch) =>
        this with
        {
            Seed = Seed is { } seed and not NoSeed ? (int)(((long)seed + launch - 2) % int.MaxValue) + 1 : Seed,
            Runs = Launches is null ? (Runs / LaunchCount) + (launch <= Runs % LaunchCount ? 1 : 0) : Runs,
            Keep = launch == 1 ? Keep : "",
            Verify = launch == 1 && Verify,
        };

    /// <summary>Object counts of <paramref name="test"/>: the given ones, or its default.</summary>
    public IReadOnlyList<int> ObjectCountsOf(SuiteTest test) =>
        ObjectCounts.Count > 0 ? ObjectCounts
        : test == SuiteTest.FirstCall ? DefaultFirstCallObjectCounts
        : DefaultObjectCounts;

    /// <summary>The arguments for passing these options to another process.</summary>
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

    /// <summary>Only the options of the scenario, because others are an error.</summary>
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

/// <summary>Tests of the suite; values of <c>-test</c>.</summary>
public enum SuiteTest
{
    /// <summary>From object graph to bytes.</summary>
    Serialize = 0,

    /// <summary>From bytes to object graph, with every object touched once.</summary>
    Deserialize = 1,

    /// <summary>Serialize and deserialize one graph in one run.</summary>
    Combined = 2,

    /// <summary>
    /// Start of the runtime, construction of the serializer, its first serialize and its first deserialize, each in a fresh process.
    /// </summary>
    FirstCall = 3,
}

/// <summary>Values of options that enable or disable something.</summary>
public enum OnOff
{
    /// <summary>Turned off.</summary>
    Off = 0,

    /// <summary>Turned on.</summary>
    On = 1,
}

/// <summary>Target and source of serialized data; values of <c>-stream</c>.</summary>
public enum StreamKind
{
    /// <summary>A reused memory stream, so that its growth is not part of measured runs.</summary>
    Memory = 0,

    /// <summary>A temporary file.</summary>
    File = 1,
}
