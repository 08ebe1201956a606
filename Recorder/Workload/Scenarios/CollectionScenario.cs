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

/// <summary><c>gc-heavy</c>: graphs are read and kept while many other objects live, with holes between them.</summary>
/// <param name="survivorMegabytes">Memory of those objects; a row each.</param>
/// <param name="runs">Runs of each row.</param>
/// <param name="objects">Objects of a graph.</param>
public sealed class CollectionScenario(IReadOnlyList<int> survivorMegabytes, int runs, int objects = CollectionScenario.DefaultObjects) : Scenario
{
    /// <summary>From this factor of most survivors against fewest on the case is there.</summary>
    public const double PresentFrom = 5;

    /// <summary>And from this pause on, in ms: the published ones took up to 7,000.</summary>
    public const double PresentFromMilliseconds = 100;

    private const int DefaultObjects = 100_000;

    /// <summary>Graphs of one run; all are kept until its end, so that collections find them alive.</summary>
    private const int Graphs = 6;

    /// <summary>A row makes no more runs after this.</summary>
    private static readonly TimeSpan s_rowBudget = TimeSpan.FromSeconds(8);

    /// <summary>A survivor: header, method table, reference and number (64 bits).</summary>
    private const int SurvivorBytes = 32;

    /// <inheritdoc/>
    public override string Name => "gc-heavy";

    /// <inheritdoc/>
    public override string PublishedCase =>
        ".NET Framework 4.6 (4.6.96) paused up to 7 s in generation-1 collections of processes over 2 GB, searching the free list of the old generation (fixed in 4.6.1).";

    /// <inheritdoc/>
    public override Finding Run(ScenarioContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        var rows = new List<CollectionRow>();
        context.Output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"A run reads {Graphs} graphs of {objects:N0} objects and keeps them; {Plural.Of(runs, "run")} a row, fewer when they take more than {s_rowBudget.TotalSeconds:N0} s. Survivors are of {SurvivorBytes} bytes, with as much free between them. Pauses are of all runs."));
        var table = new ScenarioTable(
            context.Output, ("Survivors MB", -12), ("Median ms", -10), ("GC 0/1/2", 12), ("Pause ms", -12), ("Longest gen1 ms", -15), ("Pauses seen", 12));
        foreach (var megabytes in survivorMegabytes)
        {
            var goesOn = context.Row(table, string.Create(CultureInfo.InvariantCulture, $"{megabytes} MB of survivors"), () =>
            {
                var row = Measure(context, megabytes);
                rows.Add(row);
                table.Write(
                    ScenarioTable.Number(row.SurvivorMegabytes), ScenarioTable.Number(row.Milliseconds, 1), string.Create(CultureInfo.InvariantCulture, $"{row.Gen0}/{row.Gen1}/{row.Gen2}"),
                    ScenarioTable.Number(row.PauseMilliseconds, 1), row.PauseMilliseconds is not null && row.LongestGen1 is null ? "none seen" : ScenarioTable.Number(row.LongestGen1, 1),
                    row.PauseMilliseconds is null ? ScenarioTable.NotRecorded : string.Create(CultureInfo.InvariantCulture, $"{row.Seen} of {row.Collections}"));
            });
            if (!goesOn)
                break;
        }

        return Find(rows);
    }

    /// <summary>Decides by the longest generation-1 pause, and by the time of a run where pauses were not recorded.</summary>
    public static Finding Find(IReadOnlyList<CollectionRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        var fewest = rows.OrderBy(row => row.SurvivorMegabytes).FirstOrDefault();
        var most = rows.OrderByDescending(row => row.SurvivorMegabytes).FirstOrDefault();
        if (fewest is null || most is null || fewest == most)
            return Finding.Undecided($"it takes two sizes of survivors, which were not measured.");
        if (most.LongestGen1 is { } longest)
        {
            var before = fewest.LongestGen1 is { } pause ? string.Create(CultureInfo.InvariantCulture, $"{pause:N1} ms") : "none seen";
            return Finding.Of(
                longest >= PresentFromMilliseconds && longest >= PresentFrom * (fewest.LongestGen1 ?? 0),
                $"the longest generation-1 pause was {longest:N1} ms with {most.SurvivorMegabytes:N0} MB of survivors against {before} with {fewest.SurvivorMegabytes:N0} MB; a run took {most.Milliseconds:N1} ms against {fewest.Milliseconds:N1} ms (it is there from {PresentFromMilliseconds:N0} ms and {PresentFrom:N0} times the pause with fewest survivors on).");
        }

        if (most.PauseMilliseconds is not null)
        {
            return Finding.Undecided(
                $"no generation-1 pause was seen with {most.SurvivorMegabytes:N0} MB of survivors ({most.Gen0}/{most.Gen1}/{Plural.Of(most.Gen2, "collection")}); a run took {most.Milliseconds:N1} ms against {fewest.Milliseconds:N1} ms with {fewest.SurvivorMegabytes:N0} MB.");
        }

        var factor = most.Milliseconds / fewest.Milliseconds;
        return Finding.Of(
            factor >= PresentFrom,
            $"pauses are not recorded by this runtime; a run took {most.Milliseconds:N1} ms with {most.SurvivorMegabytes:N0} MB of survivors against {fewest.Milliseconds:N1} ms with {fewest.SurvivorMegabytes:N0} MB: factor {factor:N1} (it is there from {PresentFrom:N0} on).");
    }

    private CollectionRow Measure(ScenarioContext context, int megabytes)
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
            context.WarmUp(identity with { ObjectCount = objects }, () =>
            {
                stream.Position = 0;
                serializer.Deserialize(stream);
                return stream.Length;
            });
        }

        var milliseconds = new List<double>(runs);
        int gen0 = 0, gen1 = 0, gen2 = 0, seen = 0;
        double? pauses = CollectionWatch.TotalPause is null ? null : 0, longest = null;
        for (var run = 1; run <= runs && (run == 1 || (milliseconds.Sum() < s_rowBudget.TotalMilliseconds && !context.Stop.IsCancellationRequested)); run++)
        {
            CollectionWatch? watch = null;
            double? before = null, after = null;
            var (time, truth) = context.Measure(identity with { RunNumber = run }, () =>
            {
                // Within the run: the collection that is forced before it is none of its own.
                before = CollectionWatch.TotalPause;
                watch = new CollectionWatch();
                var bytes = Read();
                after = CollectionWatch.TotalPause;
                return bytes;
            });
            watch!.Dispose();
            milliseconds.Add(time);
            (gen0, gen1, gen2) = (gen0 + truth.Gen0, gen1 + truth.Gen1, gen2 + truth.Gen2);
            seen += watch.Seen;
            pauses += after - before;
            longest = watch.LongestGen1 is { } pause && !(longest >= pause) ? pause : longest;
            Array.Clear(kept, 0, kept.Length);
        }

        GC.KeepAlive(survivors);
        return new CollectionRow(megabytes, SuiteConsole.Median(milliseconds), gen0, gen1, gen2, pauses, longest, seen);
    }

    /// <summary>Living objects of this size in all, old, with as much free memory between them.</summary>
    private static List<Survivor> Survivors(int megabytes)
    {
        var count = (int)(megabytes * 1_000_000L / SurvivorBytes);
        var survivors = new List<Survivor>(count);
        Fill(survivors, new List<Survivor>(count), count);
        Heap.CollectAll(); // those in between die old, so that they leave holes
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

    /// <summary>A living object.</summary>
    private sealed record Survivor(Survivor? Before, long Number);
}

/// <summary>What reading took while a number of objects lived.</summary>
/// <param name="SurvivorMegabytes">Memory of the objects that lived.</param>
/// <param name="Milliseconds">Median time of a run.</param>
/// <param name="Gen0">Generation-0 collections of all runs.</param>
/// <param name="Gen1">Generation-1 collections of all runs.</param>
/// <param name="Gen2">Generation-2 collections of all runs.</param>
/// <param name="PauseMilliseconds">Pauses of all runs; null where the runtime does not tell.</param>
/// <param name="LongestGen1">Longest pause of a generation-1 collection that was seen, in ms; null where the runtime does not tell or none was seen.</param>
/// <param name="Seen">Collections whose pause was seen, of those that there were.</param>
public sealed record CollectionRow(int SurvivorMegabytes, double Milliseconds, int Gen0, int Gen1, int Gen2, double? PauseMilliseconds, double? LongestGen1, int Seen)
{
    /// <summary>Collections of all runs.</summary>
    public int Collections => Gen0 + Gen1 + Gen2;
}
