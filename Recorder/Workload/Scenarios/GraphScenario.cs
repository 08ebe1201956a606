using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary><c>graph</c>: long chains and a ring with every serializer, each in a separate process, because some crash it.</summary>
/// <param name="filters">Filters for serializers.</param>
/// <param name="depths">Lengths of the chains; 1,000, 10,000 and 100,000 when null.</param>
public sealed class GraphScenario(IReadOnlyList<NamePattern> filters, IReadOnlyList<int>? depths = null) : Scenario
{
    /// <summary>Depth value for the ring.</summary>
    private const int RingDepth = 0;

    private static readonly int[] s_depths = [1_000, 10_000, 100_000];

    /// <summary>Memory limit of a process in MB: XmlSerializer indents, which takes n² bytes for a chain.</summary>
    private const int MaxMegabytes = 1_000;

    /// <summary>Maximum characters of a detail in the table.</summary>
    private const int MaxDetail = 160;

    /// <summary>Time limit of a process; the slowest graph takes about a second.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(20);

    private readonly int[] _depths = [.. (depths ?? s_depths).Order()];

    /// <inheritdoc/>
    public override string Name => "graph";

    /// <inheritdoc/>
    public override string PublishedCase =>
        "Serializers that follow references recursively crash the process with a stack overflow on a chain of about 10,000 objects, and on a cycle unless they track references. No program can catch that.";

    /// <inheritdoc/>
    public override Finding Run(ScenarioContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        var serializers = SerializerRegistry.Select(SerializerRegistry.For(new ChainModel()), filters);
        var rows = new List<GraphRow>();
        context.Output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"Chains of linked objects, and a ring of two, on a thread with a stack of {GraphProcess.StackBytes / 1024:N0} KB; +references: with reference tracking."
            )
        );
        var table = new ScenarioTable(context.Output, ("Serializer", 34), ("Graph", 14), ("Outcome", 9), ("Detail", 0));
        foreach (var serializer in serializers)
        {
            foreach (var tracking in serializer.TracksReferences ? new[] { false, true } : [false])
            {
                foreach (var graphs in new[] { _depths, [RingDepth] })
                {
                    var goesOn = context.Row(
                        table,
                        serializer.Name,
                        () =>
                        {
                            foreach (var row in Try(context, serializer.Name, tracking, graphs))
                            {
                                rows.Add(row);
                                table.Write(
                                    row.Label,
                                    GraphName(row.Depth),
                                    row.Outcome.ToString().ToLowerInvariant(),
                                    row.Detail.Length <= MaxDetail ? row.Detail : row.Detail[..MaxDetail] + "…"
                                );
                            }
                        }
                    );
                    if (!goesOn)
                        return Find(rows);
                }
            }
        }

        return Find(rows);
    }

    /// <inheritdoc/>
    public override void RunInProcess(ScenarioContext context, IReadOnlyList<string> arguments)
    {
        ArgumentNullException.ThrowIfNull(arguments);
        var serializer = SerializerRegistry.For(new ChainModel()).Single(serializer => serializer.Name == arguments[0]);
        GraphProcess.Run(
            context,
            serializer,
            arguments[1] == bool.TrueString,
            [.. arguments[2].Split(',').Select(text => int.Parse(text, CultureInfo.InvariantCulture))]
        );
    }

    /// <summary>The case is present when a process crashed or hung.</summary>
    public static Finding Find(IReadOnlyList<GraphRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        if (rows.Count == 0)
            return Finding.Undecided($"no graph was tried.");
        var chains = rows.Where(row => row.Depth > RingDepth).ToList();
        var rings = rows.Where(row => row.Depth == RingDepth).ToList();
        var crashed = chains
            .Where(IsFatal)
            .Select(row => string.Create(CultureInfo.InvariantCulture, $"{row.Label} (at {row.Depth:N0})"))
            .ToList();
        var deepest = chains.Count > 0 ? chains.Max(row => row.Depth) : 0;
        var sentences = new List<string>();
        if (chains.Count > 0)
        {
            sentences.Add(crashed.Count > 0 ? $"a chain ends the process with {string.Join(", ", crashed)}" : "no chain ended a process");
            sentences.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{Plural.Of(deepest, "link", "N0")} came back whole with {Names(chains.Where(row => row.Depth == deepest && row.Outcome == GraphOutcome.Ok))}"
                )
            );
        }

        if (rings.Count > 0)
        {
            sentences.Add(
                $"a ring ends it with {Names(rings.Where(IsFatal))}, and came back whole with {Names(rings.Where(row => row.Outcome == GraphOutcome.Ok))}"
            );
        }

        return Finding.Of(rows.Any(IsFatal), $"{string.Join("; ", sentences)} (the case is present when a process ended or hung).");
    }

    /// <summary>Determines the result of each graph from the output of the process.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="tracking">Whether references are tracked.</param>
    /// <param name="graphs">The graphs in the order of the trial.</param>
    /// <param name="result">Result of the process.</param>
    public static IReadOnlyList<GraphRow> Read(string serializer, bool tracking, IReadOnlyList<int> graphs, ChildResult result)
    {
        ArgumentNullException.ThrowIfNull(graphs);
        ArgumentNullException.ThrowIfNull(result);
        var lines = result.Output.Split('\n').Select(line => line.TrimEnd('\r').Split('\t')).Where(cells => cells.Length == 4).ToList();
        var rows = lines
            .Where(cells => cells[0] == GraphProcess.Ended)
            .Select(cells => new GraphRow(
                serializer,
                tracking,
                int.Parse(cells[1], CultureInfo.InvariantCulture),
                Enum.Parse<GraphOutcome>(cells[2]),
                cells[3]
            ))
            .ToList();
        if (rows.Count == graphs.Count)
            return rows;

        // The operation during which it ended; longer chains are left out.
        var operation = lines.Count > 0 && lines[^1][0] == GraphProcess.Begins ? lines[^1][2] : "before the first graph";
        rows.Add(
            result.ExitCode is { } code
                ? new GraphRow(serializer, tracking, graphs[rows.Count], GraphOutcome.Crashed, $"{operation}: {Reason(code, result.Error)}")
                : new GraphRow(
                    serializer,
                    tracking,
                    graphs[rows.Count],
                    GraphOutcome.Hung,
                    string.Create(CultureInfo.InvariantCulture, $"{operation}: ended after {s_limit.TotalSeconds} s")
                )
        );
        return rows;
    }

    private static bool IsFatal(GraphRow row) => row.Outcome is GraphOutcome.Crashed or GraphOutcome.Hung;

    private static string Names(IEnumerable<GraphRow> rows) =>
        string.Join(", ", rows.Select(row => row.Label)) is { Length: > 0 } names ? names : "none";

    private static string GraphName(int depth) =>
        depth == RingDepth ? "ring" : string.Create(CultureInfo.InvariantCulture, $"chain {depth:N0}");

    private static string Reason(int exitCode, string error)
    {
        var overflow =
            error.Contains("Stack overflow", StringComparison.OrdinalIgnoreCase)
            || error.Contains("StackOverflow", StringComparison.Ordinal);
        var reason =
            overflow ? "stack overflow"
            : FirstLine.Of(error) is { Length: > 0 } line ? line
            : "no message";
        return string.Create(CultureInfo.InvariantCulture, $"{reason} (exit code {exitCode})");
    }

    private IReadOnlyList<GraphRow> Try(ScenarioContext context, string serializer, bool tracking, IReadOnlyList<int> graphs) =>
        Read(
            serializer,
            tracking,
            graphs,
            context.RunProcess(
                this,
                [serializer, tracking.ToString(CultureInfo.InvariantCulture), string.Join(',', graphs)],
                s_limit,
                ScenarioContext.MemoryLimit(MaxMegabytes * 1_000_000L)
            )
        );
}

/// <summary>Result of one graph.</summary>
/// <param name="Serializer">The serializer.</param>
/// <param name="Tracking">Whether reference tracking was requested.</param>
/// <param name="Depth">Links of the chain; 0 for the ring.</param>
/// <param name="Outcome">How it ended.</param>
/// <param name="Detail">Description: the operation, the exception.</param>
public sealed record GraphRow(string Serializer, bool Tracking, int Depth, GraphOutcome Outcome, string Detail)
{
    /// <summary>The serializer's name, with "+references" if it tracked them.</summary>
    public string Label => Tracking ? Serializer + " +references" : Serializer;
}

/// <summary>How writing and reading a graph ended.</summary>
public enum GraphOutcome
{
    /// <summary>The read graph equals the written one.</summary>
    Ok = 0,

    /// <summary>The read graph differs from the written one.</summary>
    Lost = 1,

    /// <summary>An exception that a program can catch.</summary>
    Refused = 2,

    /// <summary>The process ended; no program can catch that.</summary>
    Crashed = 3,

    /// <summary>It did not end in time.</summary>
    Hung = 4,
}
