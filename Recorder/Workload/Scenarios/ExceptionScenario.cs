using System.Globalization;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary><c>exceptions</c>: a serializer that throws and catches internally compared with one that checks first.</summary>
/// <param name="values">Values per read.</param>
/// <param name="runs">Reads per row.</param>
public sealed class ExceptionScenario(int values, int runs) : Scenario
{
    /// <summary>Default number of values.</summary>
    public const int DefaultValues = 20_000;

    /// <summary>Minimum factor for the case to be present.</summary>
    public const double PresentFrom = 5;

    /// <summary>Shares of words in percent, and frames between try and throw.</summary>
    private static readonly (int WordPercent, int Depth)[] s_rows = [(0, 0), (1, 0), (10, 0), (50, 0), (10, 50)];

    /// <inheritdoc/>
    public override string Name => "exceptions";

    /// <inheritdoc/>
    public override string PublishedCase =>
        "Serializers that use exceptions to determine the type of a value spend most of their time on throwing: 10 to 20 µs per exception on .NET Framework, more with every frame between throw and catch.";

    /// <inheritdoc/>
    public override Finding Run(ScenarioContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        var rows = new List<ExceptionRow>();
        context.Output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Plural.Of(values, "value", "N0")} per read, {runs} reads per row; {(ExceptionCounter.IsReported ? "exceptions are counted in a separate read" : "this runtime does not report exceptions, so the table counts the words that throw")}."
            )
        );
        var table = new ScenarioTable(
            context.Output,
            ("Words %", -7),
            ("Frames", -6),
            ("Parse+catch ms", -14),
            ("TryParse ms", -11),
            ("Factor", -8),
            ("Exceptions/read", -15),
            ("µs/exception", -12)
        );
        foreach (var (wordPercent, depth) in s_rows)
        {
            var goesOn = context.Row(
                table,
                string.Create(CultureInfo.InvariantCulture, $"{wordPercent} % words, {Plural.Of(depth, "frame")}"),
                () =>
                {
                    var row = Measure(context, wordPercent, depth);
                    rows.Add(row);
                    table.Write(
                        ScenarioTable.Number(wordPercent),
                        ScenarioTable.Number(depth),
                        ScenarioTable.Number(row.Throwing, 3),
                        ScenarioTable.Number(row.Trying, 3),
                        ScenarioTable.Number(row.Factor, 1),
                        ScenarioTable.Number(row.Exceptions),
                        row.MicrosecondsPerException is { } cost ? ScenarioTable.Number(cost, 2) : "-"
                    );
                }
            );
            if (!goesOn)
                break;
        }

        return Find(rows);
    }

    /// <summary>Decides from the row with most exceptions and no frames in between.</summary>
    public static Finding Find(IReadOnlyList<ExceptionRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        if (
            rows.Where(row => row is { Depth: 0, Exceptions: > 0 }).OrderByDescending(row => row.Exceptions).FirstOrDefault()
            is not { } most
        )
            return Finding.Undecided($"no row with exceptions was measured.");
        var depth =
            rows.FirstOrDefault(row => row.Depth > 0 && row.Exceptions > 0) is { } deep
            && rows.FirstOrDefault(row => row.Depth == 0 && row.WordPercent == deep.WordPercent) is { } flat
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $" Thrown {Plural.Of(deep.Depth, "frame")} deep each costs {deep.MicrosecondsPerException:N1} µs against {flat.MicrosecondsPerException:N1} µs."
                )
                : "";
        return Finding.Of(
            most.Factor >= PresentFrom,
            $"a read with {Plural.Of(most.Exceptions, "exception", "N0")} takes {most.Throwing:N1} ms against {most.Trying:N1} ms with TryParse: factor {most.Factor:N1}, {most.MicrosecondsPerException:N1} µs per exception (the case is present from factor {PresentFrom:N0}).{depth}"
        );
    }

    /// <summary>The values of a read: numbers with words evenly between them.</summary>
    public static List<object> Values(int count, int wordPercent)
    {
        var result = new List<object>(count);
        for (var i = 0; i < count; i++)
            result.Add((i + 1) * wordPercent / 100 > i * wordPercent / 100 ? $"word{i.ToString(CultureInfo.InvariantCulture)}" : i);
        return result;
    }

    private ExceptionRow Measure(ScenarioContext context, int wordPercent, int depth)
    {
        var graph = Values(values, wordPercent);
        using var stream = new MemoryStream();
        new ThrowingReader(throws: false, depth).Serialize(stream, graph);
        var suffix = string.Create(CultureInfo.InvariantCulture, $", {wordPercent} % words, {Plural.Of(depth, "frame")}");
        var (throwing, counted) = Measure(context, "Parse+catch" + suffix, new ThrowingReader(throws: true, depth), stream, graph);
        var (trying, _) = Measure(context, "TryParse" + suffix, new ThrowingReader(throws: false, depth), stream, graph);
        return new ExceptionRow(wordPercent, depth, throwing, trying, counted ?? graph.Count(value => value is string));
    }

    private (double Milliseconds, long? Exceptions) Measure(
        ScenarioContext context,
        string label,
        ThrowingReader reader,
        MemoryStream stream,
        List<object> graph
    )
    {
        List<object>? result = null;
        long Read()
        {
            stream.Position = 0;
            result = (List<object>)reader.Deserialize(stream);
            return stream.Length;
        }

        var identity = ScenarioContext.Identity(label, typeof(ThrowingReader).Assembly, RunOperation.Deserialize, values);
        context.WarmUp(identity, Read);
        var milliseconds = new List<double>(runs);
        for (var run = 1; run <= runs; run++)
            milliseconds.Add(context.Measure(identity with { RunNumber = run }, Read).Milliseconds);
        var exceptions = ExceptionCounter.During(() => Read());
        return result is not null && result.SequenceEqual(graph)
            ? (SuiteConsole.Median(milliseconds), exceptions)
            : throw new RunFailedException("the read values differ from the written ones");
    }
}

/// <summary>Cost of reading the values with and without exceptions.</summary>
/// <param name="WordPercent">Percentage of values that are not numbers; each causes an exception.</param>
/// <param name="Depth">Frames between try and throw.</param>
/// <param name="Throwing">Median time of a read with int.Parse and catch, in ms.</param>
/// <param name="Trying">Median time of a read with TryParse, in ms.</param>
/// <param name="Exceptions">Exceptions per read: counted if the runtime reports them, otherwise the number of words.</param>
public sealed record ExceptionRow(int WordPercent, int Depth, double Throwing, double Trying, long Exceptions)
{
    /// <summary>Ratio of the times with and without exceptions.</summary>
    public double Factor => Throwing / Trying;

    /// <summary>Cost of one exception in µs; null without exceptions.</summary>
    public double? MicrosecondsPerException => Exceptions > 0 ? (Throwing - Trying) * 1000 / Exceptions : null;
}
