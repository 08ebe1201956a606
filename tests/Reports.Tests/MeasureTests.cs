using System.Reflection;
using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>Declarations of measures are complete, and every measure is in all places that its declaration names.</summary>
public sealed class MeasureTests
{
    private static readonly TraceInput s_input = TraceInputReader.Open([TestFiles.Recording]);

    private static readonly AnalysisResult s_result = RunAnalysis.Run(s_input.Processes, []);

    /// <summary>Columns that identify runs and rows, and how they were delimited: not measures.</summary>
    private static readonly string[] s_names =
    [
        "processId",
        "runId",
        "serializer",
        "runtime",
        "library",
        "libraryVersion",
        "test",
        "operation",
        "kind",
        "objects",
        "payloadBytes",
        "threads",
        "runNumber",
        "startMs",
        "stopMs",
        "startTicks",
        "stopTicks",
        "delimiter",
        "error",
        "runs",
        "failedRuns",
    ];

    public static TheoryData<string> Keys => [.. RunMeasures.All.Select(measure => measure.Key)];

    [Fact]
    public void Every_declared_measure_is_listed_once()
    {
        var declared = typeof(Measure)
            .Assembly.GetTypes()
            .Where(type => type.Namespace == typeof(Measure).Namespace)
            .SelectMany(type => type.GetProperties(BindingFlags.Public | BindingFlags.Static))
            .Where(property => property.PropertyType.IsSubclassOf(typeof(Measure)))
            .Select(property => (Measure)property.GetValue(null)!)
            .ToList();

        Assert.NotEmpty(declared);
        Assert.Empty(declared.Except(RunMeasures.All));
        Assert.Equal(declared.Count, RunMeasures.All.Count);
        Assert.Equal(RunMeasures.All.Count, RunMeasures.All.Select(measure => measure.Key).Distinct().Count());
        Assert.Equal(
            RunMeasures.All.Count(measure => measure.Stored is not null),
            RunMeasures.All.Select(measure => measure.Stored?.Name).OfType<string>().Distinct().Count()
        );
    }

    [Theory]
    [MemberData(nameof(Keys))]
    public void A_declaration_is_complete(string key)
    {
        var measure = Find(key);

        Assert.Matches("^[^ ].*[^ .]$", measure.Definition);
        Assert.NotEmpty(measure.NotRecorded);
        Assert.True(measure.Unit is "" or "ms" or "µs" or "ns" or "B" or "%", $"'{measure.Unit}' is no unit");
        Assert.Matches(
            measure.Unit switch
            {
                "ms" => "Ms$",
                "µs" => "Us$",
                "ns" => "Ns$",
                "%" => "Percent$",
                "B" => "Bytes",
                _ => "^(?!.*(Ms|Us|Ns|Percent)$)",
            },
            key
        );
        Assert.Equal(measure.Shown != ReportTables.None, measure.Header.Length > 0);
        Assert.True(measure.Fields != ReportFields.None || measure.Stored is not null, "it is nowhere");
        if (measure.Fields != ReportFields.None && (measure.ValueType == typeof(double) || measure.ValueType == typeof(long)))
            Assert.NotEmpty(measure.Format);
        if (measure.Stored is not { } stored)
            return;
        Assert.Matches(
            measure.Unit switch
            {
                "ms" => "_ms$",
                "µs" => "_us$",
                "ns" => "_ns$",
                "B" => "_bytes",
                _ => "^(?!.*(_ms|_us|_ns|_bytes)$)",
            },
            stored.Name
        );
        Assert.True(stored.OfRun is not null || stored.OfRow is not null, "its column has no meaning");
        Assert.True(stored.Since == 1 || measure.NotRecorded != Measure.Never, "a column that came later is missing in older stores");
    }

    [Theory]
    [InlineData("table", ReportFields.Table)]
    [InlineData("runs", ReportFields.Runs)]
    [InlineData("causes", ReportFields.Causes)]
    public void Reports_have_the_fields_that_are_declared(string kind, ReportFields fields)
    {
        var report = kind switch
        {
            "table" => ReportBuilder.Table(s_input, s_result),
            "runs" => ReportBuilder.Runs(s_input, s_result),
            _ => CausesReport.Build(s_input, s_result, new CausesQuery(new RunFilter()), []),
        };
        var declared = RunMeasures.All.Where(measure => measure.Fields.HasFlag(fields)).Select(measure => measure.Key).ToList();

        using var json = JsonDocument.Parse(Print(report, ReportFormat.Json));
        var row = json.RootElement.GetProperty(kind == "runs" ? "runs" : "rows")[0].EnumerateObject().Select(field => field.Name).ToList();
        var header = Print(report, ReportFormat.Csv).Split("\r\n")[0].Split(',');

        Assert.Equal(header, row);
        if (fields == ReportFields.Causes)
            Assert.Empty(declared.Except(row)); // the causes themselves are in the catalog of causes
        else
            Assert.Equal(declared, row.Except(s_names));
    }

    [Fact]
    public void Stores_have_the_columns_that_are_declared()
    {
        foreach (
            var (table, meaningOf) in ((StoreTable, Func<StoredMeasure, string?>)[])
                [(RunTable.Table, stored => stored.OfRun), (ResultTable.Table, stored => stored.OfRow)]
        )
        {
            foreach (var measure in RunMeasures.All.Where(measure => measure.Stored is { } stored && meaningOf(stored) is not null))
            {
                var column = Assert.Single(table.Columns, column => column.Name == measure.Stored!.Name);
                Assert.Equal((meaningOf(measure.Stored!), measure.Stored!.Since), (column.Meaning, column.Since));
            }
        }

        Assert.All(
            StoreSchema.Tables.SelectMany(table => table.Columns).Where(column => column.Since > 1),
            column => Assert.True(column.IsNullable, column.Name)
        );
    }

    [Fact]
    public void A_run_comes_out_of_a_store_with_all_values_that_it_keeps()
    {
        var run = s_result.Runs[0];
        var row = RunTable.Table.Row("trace", new StoredRun(0, run));

        var restored = MeasureValues.Restore(stored => row[RunTable.Table.IndexOf(stored.Name)]);

        Assert.Equal(run.Values, restored);
        Assert.NotEqual(default, restored);
    }

    [Fact]
    public void Comparisons_take_the_names_that_are_declared() =>
        Assert.Equal(
            RunMeasures.All.Select(measure => measure.Compared?.Name).OfType<string>().Order(),
            Metric.All.Select(metric => metric.Key).Order()
        );

    [Fact]
    public void Every_kept_measure_has_a_column_to_come_back_from() =>
        Assert.All(
            RunMeasures.All.Where(measure => measure.IsKept),
            measure => Assert.True(measure.Stored?.OfRun is not null, measure.Key)
        );

    [Fact]
    public void Tables_show_the_headers_that_are_declared()
    {
        Check(ReportTables.Main, SummaryColumns.Main.Select(column => column.Header));
        Check(ReportTables.FirstUse, SummaryColumns.FirstUse.Select(column => column.Header));
        Check(ReportTables.Runs, RunColumns.All.Select(column => column.Header));
        Check(ReportTables.Processor, SummaryColumns.Processor.Select(column => column.Header));
        Check(ReportTables.Causes, CauseColumns.Shown.Select(column => column.Header));

        static void Check(ReportTables table, IEnumerable<string?> headers) =>
            Assert.Empty(RunMeasures.All.Where(measure => measure.Shown.HasFlag(table)).Select(measure => measure.Header).Except(headers));
    }

    private static Measure Find(string key) => RunMeasures.All.Single(measure => measure.Key == key);

    private static string Print(Report report, ReportFormat format)
    {
        using var output = new StringWriter();
        ReportPrinter.Write(report, format, output);
        return output.ToString();
    }
}
