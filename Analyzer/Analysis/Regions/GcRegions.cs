using System.Globalization;

namespace EtwSerializerProfiler.Analysis.Regions;

/// <summary>
/// Regions of GCs. "Pauses" has the runtime's suspensions, named by reason, with the time until all threads stop and the time until they
/// resume. "GCs" has the GCs by generation; a background GC is longer than its pauses. Events: ClrEtwAll.man of dotnet/runtime, in the
/// versions that .NET Framework 4.6 and later and every .NET (Core) write.
/// </summary>
/// <remarks>
/// .NET Framework writes each GC start twice, in versions 1 and 2, so regions for both would find each GC twice. A pause does not belong to
/// a GC if its reason is neither SuspendForGC nor SuspendForGCPrep: the suite suspends with reason Other to read exact allocated bytes.
/// </remarks>
public static class GcRegions
{
    private const string Prefix = "GarbageCollections";

    private const int GcStart = 1;
    private const int GcEnd = 2;
    private const int RestartEnd = 3;
    private const int RestartBegin = 7;
    private const int SuspendEnd = 8;
    private const int SuspendBegin = 9;

    /// <summary>Microsoft-Windows-DotNETRuntime.</summary>
    private static readonly Guid s_provider = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");

    private static readonly RegionLink s_sameProcess = new(SameProcess: true, SameThread: false);

    /// <summary>GCs with different numbers overlap, because GCs of generations 0 and 1 occur during a background GC.</summary>
    private static readonly RegionLink s_sameGc = new(SameProcess: true, SameThread: false, "Count");

    /// <summary>Root of the regions.</summary>
    public static Region Root { get; } =
        Region.Container(
            Prefix,
            "Garbage collections",
            Region.Container(
                $"{Prefix}-Pauses",
                "Pauses",
                new Region(
                    $"{Prefix}-Pauses-Pause",
                    "Pause",
                    [Part("Suspend", "Suspending", SuspendBegin, SuspendEnd), Part("Restart", "Restarting", RestartBegin, RestartEnd)]
                )
                {
                    Start = Point(SuspendBegin, 1),
                    Stop = Point(RestartEnd, 1),
                    Match = s_sameProcess,
                    NameField = "Reason",
                }
            ),
            Region.Container($"{Prefix}-Collections", "Collections", Generation(0), Generation(1), Generation(2))
        );

    private static Region Part(string name, string friendlyName, int start, int stop) =>
        new($"{Prefix}-Pauses-Pause-{name}", friendlyName, [])
        {
            Start = Point(start, 1),
            Stop = Point(stop, 1),
            Match = s_sameProcess,
            ParentMatch = s_sameProcess,
        };

    private static Region Generation(int generation)
    {
        var number = generation.ToString(CultureInfo.InvariantCulture);
        return new Region($"{Prefix}-Collections-Generation{number}", $"Generation {number}", [])
        {
            Start = Point(GcStart, 2, new RegionCondition("Depth", number)),
            Stop = Point(GcEnd, 1),
            Match = s_sameGc,
            NameField = "Reason",
        };
    }

    private static RegionPoint Point(int id, int version, params IReadOnlyList<RegionCondition> conditions) =>
        new(s_provider, id, version, conditions);
}
