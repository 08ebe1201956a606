using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary><c>gc-heavy</c>: reads and keeps graphs while many other objects are alive, with free memory between them.</summary>
/// <param name="survivorMegabytes">Memory of those objects, one row each.</param>
/// <param name="runs">Runs of each row.</param>
/// <param name="objects">Objects per graph.</param>
public sealed class GcScenario(IReadOnlyList<int> survivorMegabytes, int runs, int objects = GcScenario.DefaultObjects) : Scenario
{
    /// <summary>Minimum factor between the pauses with most and fewest survivors for the case to be present.</summary>
    public const double PresentFrom = 5;

    /// <summary>Minimum pause in ms for the case to be present; the published pauses took up to 7,000.</summary>
    public const double PresentFromMilliseconds = 100;

    private const int DefaultObjects = 100_000;

    /// <summary>Graphs of one run; all are kept until its end, so that GCs find them alive.</summary>
    private const int Graphs = 6;

    /// <summary>Time after which a row makes no more runs.</summary>
    private static readonly TimeSpan s_rowBudget = TimeSpan.FromSeconds(8);

    /// <summary>Bytes of a survivor: header, method table, reference and number (64 bits).</summary>
    private const int SurvivorBytes = 32;

    /// <inheritdoc/>
    public override string Name => "gc-heavy";

    /// <inheritdoc/>
    public override string PublishedCase =>
        ".NET Framework 4.6 (4.6.96) paused up to 7 s in generation-1 GCs of processes over 2 GB, searching the free list of the old generation (fixed in 4.6.1).";

    /// <inheritdoc/>
    public override Finding Run(ScenarioContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        var rows = new List<GcScenarioRow>();
        context.Output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"A run reads {Graphs} graphs of {objects:N0} objects and keeps them; {Plural.Of(runs, "run")} per row, fewer when they take more than {s_rowBudget.TotalSeconds:N0} s. Survivors have {SurvivorBytes} bytes each, with the same amount of free memory between them. Pauses are sums over all runs."
            )
        );
        var table = new ScenarioTable(
            context.Output,
            ("Survivors MB", -12),
            ("Median ms", -10),
            ("GC 0/1/2", 12),
            ("Pause ms", -12),
            ("Longest gen1 ms", -15),
            ("Pauses seen", 12)
        );
        foreach (var megabytes in survivorMegabytes)
        {
            var goesOn = context.Row(
                table,
                string.Create(CultureInfo.InvariantCulture, $"{megabytes} MB of survivors"),
                () =>
                {
                    var row = Measure(context, megabytes);
                    rows.Add(row);
                    table.Write(
                        ScenarioTable.Number(row.SurvivorMegabytes),
                        ScenarioTable.Number(row.Milliseconds, 1),
                        string.Create(CultureInfo.InvariantCulture, $"{row.Gen0}/{row.Gen1}/{row.Gen2}"),
                        ScenarioTable.Number(row.PauseMilliseconds, 1),
                        row.PauseMilliseconds is not null && row.MaxGen1Pause is null
                            ? "none seen"
                            : ScenarioTable.Number(row.MaxGen1Pause, 1),
                        row.PauseMilliseconds is null
                            ? ScenarioTable.NotRecorded
                            : string.Create(CultureInfo.InvariantCulture, $"{row.Seen} of {row.Gcs}")
                    );
                }
            );
            if (!goesOn)
                break;
        }

        return Find(rows);
    }

    /// <summary>Decides from the longest generation-1 pause, or from the time of a run when pauses were not recorded.</summary>
    public static Finding Find(IReadOnlyList<GcScenarioRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        var fewest = rows.OrderBy(row => row.SurvivorMegabytes).FirstOrDefault();
        var most = rows.OrderByDescending(row => row.SurvivorMegabytes).FirstOrDefault();
        if (fewest is null || most is null || fewest == most)
            return Finding.Undecided($"two sizes of survivors are necessary, but were not measured.");
        if (most.MaxGen1Pause is { } longest)
        {
            var before = fewest.MaxGen1Pause is { } pause ? string.Create(CultureInfo.InvariantCulture, $"{pause:N1} ms") : "none seen";
            return Finding.Of(
                longest >= PresentFromMilliseconds && longest >= PresentFrom * (fewest.MaxGen1Pause ?? 0),
                $"the longest generation-1 pause was {longest:N1} ms with {most.SurvivorMegabytes:N0} MB of survivors against {before} with {fewest.SurvivorMegabytes:N0} MB; a run took {most.Milliseconds:N1} ms against {fewest.Milliseconds:N1} ms (the case is present from {PresentFromMilliseconds:N0} ms and {PresentFrom:N0} times the pause with fewest survivors)."
            );
        }

        if (most.PauseMilliseconds is not null)
        {
            return Finding.Undecided(
                $"no generation-1 pause was seen with {most.SurvivorMegabytes:N0} MB of survivors ({most.Gen0}/{most.Gen1}/{Plural.Of(most.Gen2, "GC")}); a run took {most.Milliseconds:N1} ms against {fewest.Milliseconds:N1} ms with {fewest.SurvivorMegabytes:N0} MB."
            );
        }

        var factor = most.Milliseconds / fewest.Milliseconds;
        return Finding.Of(
            factor >= PresentFrom,
            $"this runtime does not report pauses; a run took {most.Milliseconds:N1} ms with {most.SurvivorMegabytes:N0} MB of survivors against {fewest.Milliseconds:N1} ms with {fewest.SurvivorMegabytes:N0} MB: factor {factor:N1} (the case is present from factor {PresentFrom:N0})."
        );
    }

    private GcScenarioRow Measure(ScenarioContext context, int megabytes)
    {
        var survivors = Survivors(megabytes);
        var serializer = new DataContractBinaryXml<BookShelf>(SerializerSettings.Default);
        var model = new BookShelfModel();
        using var stream = new MemoryStream();
        serializer.Serialize(stream, model.Create(objects, payloadBytes: 0));
        var kept = new object[Graphs];
        long Read()
        {
            for (var i = 0; i < Graphs; i++)
            {
                stream.Position = 0;
                kept[i] = serializer.Deserialize(stream);
            }

            return stream.Length * Graphs;
        }

        var label = string.Create(CultureInfo.InvariantCulture, $"DataContractBinaryXml, {megabytes} MB live");
        var identity = ScenarioContext.Identity(label, typeof(DataContractSerializer).Assembly, RunOperation.Deserialize, objects * Graphs);
        if (megabytes == survivorMegabytes[0])
        {
            context.WarmUp(
                identity with
                {
                    ObjectCount = objects,
                },
                () =>
                {
                    stream.Position = 0;
                    serializer.Deserialize(stream);
                    return stream.Length;
                }
            );
        }

        var milliseconds = new List<double>(runs);
        int gen0 = 0,
            gen1 = 0,
            gen2 = 0,
            seen = 0;
        double? pauses = GcWatch.TotalPause is null ? null : 0,
            longest = null;
        for (
            var run = 1;
            run <= runs && (run == 1 || (milliseconds.Sum() < s_rowBudget.TotalMilliseconds && !context.Stop.IsCancellationRequested));
            run++
        )
        {
            GcWatch? watch = null;
            double? before = null,
                after = null;
            var (time, measurement) = context.Measure(
                identity with
                {
                    RunNumber = run,
                },
                () =>
                {
                    // Counted within the run, without the GC that is forced before it.
                    before = GcWatch.TotalPause;
                    watch = new GcWatch();
                    var bytes = Read();
                    after = GcWatch.TotalPause;
                    return bytes;
                }
            );
            watch!.Dispose();
            milliseconds.Add(time);
            (gen0, gen1, gen2) = (gen0 + measurement.Gen0, gen1 + measurement.Gen1, gen2 + measurement.Gen2);
            seen += watch.Seen;
            pauses += after - before;
            longest = watch.MaxGen1Pause is { } pause && !(longest >= pause) ? pause : longest;
            Array.Clear(kept, 0, kept.Length);
        }

        GC.KeepAlive(survivors);
        return new GcScenarioRow(megabytes, SuiteConsole.Median(milliseconds), gen0, gen1, gen2, pauses, longest, seen);
    }

    /// <summary>Creates live objects of this total size in the old generation, with the same amount of free memory between them.</summary>
    private static List<Survivor> Survivors(int megabytes)
    {
        var count = (int)(megabytes * 1_000_000L / SurvivorBytes);
        var survivors = new List<Survivor>(count);
        Fill(survivors, new List<Survivor>(count), count);
        Heap.CollectAll(); // the objects in between die in the old generation and leave holes
        return survivors;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Fill(List<Survivor> survivors, List<Survivor> between, int count)
    {
        for (var i = 0; i < count; i++)
        {
            survivors.Add(new Survivor(i > 0 ? survivors[i - 1] : null, i));
            between.Add(new Survivor(null, i));
        }

        Heap.CollectAll();
        GC.KeepAlive(between);
    }

    /// <summary>A live object.</summary>
    private sealed record Survivor(Survivor? Before, long Number);
}

/// <summary>Cost of reading while a number of objects is alive.</summary>
/// <param name="SurvivorMegabytes">Memory of the live objects.</param>
/// <param name="Milliseconds">Median time of a run.</param>
/// <param name="Gen0">Number of generation-0 GCs of all runs.</param>
/// <param name="Gen1">Number of generation-1 GCs of all runs.</param>
/// <param name="Gen2">Number of generation-2 GCs of all runs.</param>
/// <param name="PauseMilliseconds">Pauses of all runs; null when the runtime does not report them.</param>
/// <param name="MaxGen1Pause">
/// Longest observed pause of a generation-1 GC in ms; null when the runtime does not report it or none was observed.
/// </param>
/// <param name="Seen">Number of GCs with an observed pause.</param>
public sealed record GcScenarioRow(
    int SurvivorMegabytes,
    double Milliseconds,
    int Gen0,
    int Gen1,
    int Gen2,
    double? PauseMilliseconds,
    double? MaxGen1Pause,
    int Seen
)
{
    /// <summary>Number of GCs of all runs.</summary>
    public int Gcs => Gen0 + Gen1 + Gen2;
}
