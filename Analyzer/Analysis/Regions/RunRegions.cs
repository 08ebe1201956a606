using System.Diagnostics.Tracing;
using System.Globalization;
using EtwSerializerProfiler.Analysis.Catalog;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Analysis.Regions;

/// <summary>
/// Regions of runs. "All runs" has every run, named by its serializer, and inside it the run's clock, named by its operation, because WPA
/// names an instance by one field. Below it, each serializer has its own group, with the measured runs and first calls named by operation.
/// </summary>
/// <remarks>
/// The clock's region ends at RunClockStopped, which is written immediately; RunStop comes about 100 µs later, after the exact reading of
/// allocated bytes.
/// </remarks>
public static class RunRegions
{
    private const string Prefix = "Runs";

    /// <summary>Names of the fields of the marks.</summary>
    private const string RunId = "runId";
    private const string Serializer = "serializer";
    private const string Operation = "operation";
    private const string Kind = "kind";

    private static readonly Guid s_provider = EventSource.GetGuid(typeof(RunEventSource));

    /// <summary>A run's events share its thread and number; each process numbers its runs from 1.</summary>
    private static readonly RegionLink s_sameRun = new(SameProcess: true, SameThread: true, RunId);

    /// <summary>Serializers of the suite and of its adapters, by name.</summary>
    public static IReadOnlyList<string> KnownSerializers { get; } =
    [.. SuiteCatalog.All.Concat(AdapterCatalog.All).Select(entry => entry.Name).Distinct().Order(StringComparer.OrdinalIgnoreCase)];

    /// <summary>Creates the regions.</summary>
    /// <param name="serializers">Names of serializers with their own group, as in the marks.</param>
    public static Region Create(IEnumerable<string> serializers)
    {
        ArgumentNullException.ThrowIfNull(serializers);
        return Region.Container(Prefix, "Runs of EtwSerializerProfiler", [All, .. serializers.Select(BySerializer)]);
    }

    /// <summary>Creates the regions of runs that events delimit and whose start and stop are on one thread.</summary>
    /// <param name="title">The events as the user named them.</param>
    /// <param name="kinds">Kinds of these events; at least one that begins runs and one that ends them.</param>
    public static Region Create(string title, IReadOnlyCollection<RunEventKind> kinds)
    {
        ArgumentNullException.ThrowIfNull(title);
        ArgumentNullException.ThrowIfNull(kinds);
        var pairs = from begin in kinds where begin.IsStart from end in kinds where !end.IsStart select (Begin: begin, End: end);
        return Region.Container(
            Prefix,
            $"Runs of {title}",
            [
                .. pairs
                    .Distinct()
                    .Select(pair => new Region(
                        FormattableString.Invariant(
                            $"{Prefix}-{title}-{pair.Begin.Id}.{pair.Begin.Version}-{pair.End.Id}.{pair.End.Version}"
                        ),
                        title,
                        []
                    )
                    {
                        Start = PointOf(pair.Begin),
                        Stop = PointOf(pair.End),
                        Match = new RegionLink(SameProcess: true, SameThread: true),
                    }),
            ]
        );
    }

    private static RegionPoint PointOf(RunEventKind kind) => new(kind.Provider, kind.Id, kind.Version);

    private static Region All { get; } =
        Region.Container(
            $"{Prefix}-All",
            "All runs",
            new Region(
                $"{Prefix}-All-Run",
                "Run",
                [
                    new Region($"{Prefix}-All-Run-Clock", "Clock", [])
                    {
                        Start = Started(),
                        Stop = Mark(RunEventSource.RunClockStoppedId),
                        Match = s_sameRun,
                        ParentMatch = s_sameRun,
                        NameField = Operation,
                    },
                ]
            )
            {
                Start = Started(),
                Stop = Mark(RunEventSource.RunStopId),
                Match = s_sameRun,
                NameField = Serializer,
            }
        );

    /// <summary>Omits warm-ups, which are not results and are as numerous.</summary>
    private static Region BySerializer(string serializer) =>
        Region.Container(
            $"{Prefix}-Serializer-{serializer}",
            serializer,
            new Region($"{Prefix}-Serializer-{serializer}-Run", "Run", [])
            {
                Start = Started(
                    new RegionCondition(Serializer, serializer),
                    new RegionCondition(Kind, ((int)RunKind.WarmUp).ToString(CultureInfo.InvariantCulture), IsExcluded: true)
                ),
                Stop = Mark(RunEventSource.RunClockStoppedId),
                Match = s_sameRun,
                NameField = Operation,
            }
        );

    private static RegionPoint Started(params IReadOnlyList<RegionCondition> conditions) =>
        new(s_provider, RunEventSource.RunStartId, 0, conditions);

    private static RegionPoint Mark(int id) => new(s_provider, id, 0);
}
