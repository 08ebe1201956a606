using System.Globalization;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary><c>quadratic</c>: growth of BinaryFormatter's time with the number of objects.</summary>
/// <param name="counts">Object counts; 50,000 to 400,000 when null.</param>
/// <param name="ownProcesses">
/// Whether to measure without and with the switch, each in a separate process; null to decide by runtime.
/// </param>
public sealed class QuadraticScenario(IReadOnlyList<int>? counts = null, bool? ownProcesses = null) : Scenario
{
    /// <summary>The switch of .NET Framework that fixes it.</summary>
    public const string SwitchName = "Switch.System.Runtime.Serialization.UseNewMaxArraySize";

    /// <summary>Minimum exponent for the case to be present: halfway between linear and quadratic.</summary>
    public const double PresentFrom = 1.5;

    /// <summary>The row without the switch.</summary>
    public const string Plain = "BinaryFormatter";

    /// <summary>The row with the switch.</summary>
    public const string Switched = "BinaryFormatter, UseNewMaxArraySize";

    /// <summary>
    /// Number of the largest object counts for the exponent. Small graphs are read without a GC; including them would look like growth.
    /// </summary>
    private const int FittedCounts = 3;

    private const int MaxRuns = 3;
    private static readonly int[] s_counts = [50_000, 100_000, 200_000, 400_000];

    /// <summary>Time after which a row makes no more runs.</summary>
    private static readonly TimeSpan s_rowBudget = TimeSpan.FromSeconds(2);

    /// <summary>A row is left out if quadratic growth would make it longer than this.</summary>
    private static readonly TimeSpan s_maxRun = TimeSpan.FromSeconds(30);

    /// <summary>Time limit of a process.</summary>
    private static readonly TimeSpan s_processLimit = TimeSpan.FromMinutes(3);

    /// <inheritdoc/>
    public override string Name => "quadratic";

    /// <inheritdoc/>
    public override string PublishedCase =>
        $"BinaryFormatter's time to read n objects grows with n² on .NET Framework; {SwitchName} fixes it from 4.7.2, and .NET Core 2.0 and later never had it.";

    /// <inheritdoc/>
    public override Finding Run(ScenarioContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        var rows = new List<GrowthRow>();
        if (SuiteRuntime.IsMono)
            context.Output.WriteLine($"Mono does not support {SwitchName}, so there are no rows with it.");
        var table = Table(context);
        if (!(ownProcesses ?? (!SuiteRuntime.IsNet && !SuiteRuntime.IsMono)))
        {
            Measure(context, Plain, counts ?? s_counts, table, rows.Add);
            return Find(rows);
        }

        foreach (var variant in new[] { Plain, Switched })
        {
            var goesOn = context.Row(
                table,
                variant,
                () =>
                {
                    var result = context.RunProcess(this, [variant, string.Join(',', counts ?? s_counts)], s_processLimit);
                    foreach (var row in ReadAnswer(result.Output))
                    {
                        rows.Add(row);
                        Write(table, row, runs: null);
                    }

                    if (result.ExitCode != 0)
                        throw new RunFailedException(
                            result.ExitCode is null
                                ? "its process was killed at the time limit"
                                : $"its process failed: {FirstLine.Of(result.Error)}"
                        );
                }
            );
            if (!goesOn)
                break;
        }

        return Find(rows);
    }

    /// <inheritdoc/>
    public override void RunInProcess(ScenarioContext context, IReadOnlyList<string> arguments)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(arguments);
        if (arguments[0] == Switched)
            AppContext.SetSwitch(SwitchName, true); // before the first use of the formatter, which reads it only once
        int[] objects = [.. arguments[1].Split(',').Select(text => int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture))];
        Measure(
            context,
            arguments[0],
            objects,
            table: null,
            row =>
                context.Output.WriteLine(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{row.Variant}\t{row.Operation}\t{row.Objects}\t{row.Milliseconds:R}\t{row.CpuMilliseconds ?? -1:R}"
                    )
                )
        );
    }

    /// <summary>Decides from the exponents of the rows without the switch.</summary>
    public static Finding Find(IReadOnlyList<GrowthRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        var exponents = rows.GroupBy(row => (row.Variant, row.Operation))
            .Select(group => (group.Key, Rows: group.OrderByDescending(row => row.Objects).Take(FittedCounts).Reverse().ToList()))
            .Select(growth =>
                (
                    growth.Key.Variant,
                    growth.Key.Operation,
                    growth.Rows,
                    Exponent: GrowthExponent.Fit([.. growth.Rows.Select(row => ((double)row.Objects, row.Work))])
                )
            )
            .Where(growth => growth.Exponent is not null)
            .ToList();
        if (!exponents.Any(growth => growth.Variant == Plain))
            return Finding.Undecided($"growth needs two object counts, which were not measured.");
        var sentences = exponents.Select(growth =>
            string.Create(
                CultureInfo.InvariantCulture,
                $"{growth.Variant} {growth.Operation}: n^{growth.Exponent:N2} from {growth.Rows[0].Objects:N0} ({growth.Rows[0].Milliseconds:N0} ms) to {Plural.Of(growth.Rows[^1].Objects, "object", "N0")} ({growth.Rows[^1].Milliseconds:N0} ms)"
            )
        );
        return Finding.Of(
            exponents.Any(growth => growth.Variant == Plain && growth.Exponent >= PresentFrom),
            $"{string.Join("; ", sentences)} (by CPU time if known; the case is present from n^{PresentFrom:N1})."
        );
    }

    private static ScenarioTable Table(ScenarioContext context) =>
        new(
            context.Output,
            ("Serializer", 24),
            ("Operation", 11),
            ("Objects", -9),
            ("Runs", -4),
            ("Median ms", -11),
            ("CPU ms", -11),
            ("µs/object", -10)
        );

    private static void Write(ScenarioTable table, GrowthRow row, int? runs) =>
        table.Write(
            row.Variant,
            row.Operation,
            ScenarioTable.Number(row.Objects),
            runs is null ? "" : ScenarioTable.Number(runs),
            ScenarioTable.Number(row.Milliseconds, 1),
            ScenarioTable.Number(row.CpuMilliseconds, 1),
            ScenarioTable.Number(row.MicrosecondsPerObject, 3)
        );

    private static IEnumerable<GrowthRow> ReadAnswer(string output) =>
        from line in output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
        let cells = line.TrimEnd('\r').Split('\t')
        where cells.Length == 5
        let cpu = double.Parse(cells[4], CultureInfo.InvariantCulture)
        select new GrowthRow(
            cells[0],
            cells[1],
            int.Parse(cells[2], CultureInfo.InvariantCulture),
            double.Parse(cells[3], CultureInfo.InvariantCulture),
            cpu < 0 ? null : cpu
        );

    private static void Measure(
        ScenarioContext context,
        string variant,
        IReadOnlyList<int> objectCounts,
        ScenarioTable? table,
        Action<GrowthRow> add
    )
    {
        var serializer = new BinaryFormatterSerializer<BookShelf>();
        var model = new BookShelfModel();
        foreach (var operation in new[] { RunOperation.Serialize, RunOperation.Deserialize })
        {
            GrowthRow? last = null;
            foreach (var count in objectCounts)
            {
                if (last is not null && last.Milliseconds * count / last.Objects * count / last.Objects > s_maxRun.TotalMilliseconds)
                {
                    table?.Write(
                        variant,
                        operation,
                        ScenarioTable.Number(count),
                        "",
                        $"left out: more than {s_maxRun.TotalSeconds:N0} s per run if growth continues"
                    );
                    continue;
                }

                Action measure = () =>
                {
                    var (milliseconds, cpu, runs) = Measure(context, serializer, model, variant, operation, count, isFirst: last is null);
                    last = new GrowthRow(variant, operation, count, milliseconds, cpu);
                    if (table is not null)
                        Write(table, last, runs);
                    add(last);
                };
                if (table is null)
                    measure();
                else if (!context.Row(table, string.Create(CultureInfo.InvariantCulture, $"{variant} {operation} {count:N0}"), measure))
                    return;
            }
        }
    }

    private static (double Milliseconds, double? CpuMilliseconds, int Runs) Measure(
        ScenarioContext context,
        Serializer serializer,
        GraphModel model,
        string variant,
        string operation,
        int count,
        bool isFirst
    )
    {
        using var stream = new MemoryStream();
        var graph = model.Create(count, payloadBytes: 0);
        serializer.Serialize(stream, graph);
        var reads = operation == RunOperation.Deserialize;
        if (reads)
            graph = null;

        object? result = null;
        long Operation()
        {
            stream.Position = 0;
            if (reads)
                result = serializer.Deserialize(stream);
            else
                serializer.Serialize(stream, graph!);
            return stream.Length;
        }

#pragma warning disable SYSLIB0011 // the obsolete serializer is measured
        var identity = ScenarioContext.Identity(
            variant,
            typeof(System.Runtime.Serialization.Formatters.Binary.BinaryFormatter).Assembly,
            operation,
            count
        );
#pragma warning restore SYSLIB0011
        if (isFirst)
            WarmUp(context, serializer, model, identity);
        var milliseconds = new List<double>();
        var cpu = new List<double>();
        while (
            milliseconds.Count < MaxRuns
            && milliseconds.Sum() < s_rowBudget.TotalMilliseconds
            && (milliseconds.Count == 0 || !context.Stop.IsCancellationRequested)
        )
        {
            result = null;
            var (time, measurement) = context.Measure(identity with { RunNumber = milliseconds.Count + 1 }, Operation);
            milliseconds.Add(time);
            if (measurement.ThreadCpuNanoseconds >= 0)
                cpu.Add(measurement.ThreadCpuNanoseconds / 1e6);
        }

        if (reads && model.Difference(model.Create(count, payloadBytes: 0), result!) is { } difference)
            throw new RunFailedException($"the round trip differs: {difference}");
        return (SuiteConsole.Median(milliseconds), cpu.Count > 0 ? SuiteConsole.Median(cpu) : null, milliseconds.Count);
    }

    /// <summary>Uses a small graph, because only the code has to be warm.</summary>
    private static void WarmUp(ScenarioContext context, Serializer serializer, GraphModel model, RunIdentity identity)
    {
        const int Objects = 10_000;
        var graph = model.Create(Objects, payloadBytes: 0);
        using var stream = new MemoryStream();
        context.WarmUp(
            identity with
            {
                ObjectCount = Objects,
            },
            () =>
            {
                stream.SetLength(0);
                serializer.Serialize(stream, graph);
                stream.Position = 0;
                serializer.Deserialize(stream);
                return stream.Length;
            }
        );
    }
}

/// <summary>Cost of a number of objects.</summary>
/// <param name="Variant">The serializer and its switch.</param>
/// <param name="Operation">Serialize or Deserialize.</param>
/// <param name="Objects">Objects in the graph.</param>
/// <param name="Milliseconds">Median time of a run.</param>
/// <param name="CpuMilliseconds">
/// Median CPU time of its thread, which a busy machine affects less; null when the system does not provide it.
/// </param>
public sealed record GrowthRow(string Variant, string Operation, int Objects, double Milliseconds, double? CpuMilliseconds)
{
    /// <summary>The measure of growth: CPU time if known, otherwise time.</summary>
    public double Work => CpuMilliseconds is > 0 and var cpu ? cpu : Milliseconds;

    /// <summary>Time of one object in µs.</summary>
    public double MicrosecondsPerObject => Milliseconds * 1000 / Objects;
}

/// <summary>How time grows with the number of objects.</summary>
public static class GrowthExponent
{
    /// <summary>The exponent e of time = c · objects^e, by least squares over the logarithms: 1 is linear, 2 quadratic.</summary>
    /// <param name="points">Objects and time, both greater than 0.</param>
    /// <returns>Null without two different object counts.</returns>
    public static double? Fit(IReadOnlyCollection<(double Objects, double Time)> points)
    {
        ArgumentNullException.ThrowIfNull(points);
        if (points.Select(point => point.Objects).Distinct().Count() < 2)
            return null;
        var x = points.Select(point => Math.Log(point.Objects)).ToArray();
        var y = points.Select(point => Math.Log(point.Time)).ToArray();
        double meanX = x.Average(),
            meanY = y.Average(),
            covariance = 0,
            variance = 0;
        for (var i = 0; i < x.Length; i++)
        {
            covariance += (x[i] - meanX) * (y[i] - meanY);
            variance += (x[i] - meanX) * (x[i] - meanX);
        }

        return covariance / variance;
    }
}
