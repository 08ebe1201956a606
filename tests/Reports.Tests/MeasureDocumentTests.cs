using System.Text;
using EtwSerializerProfiler.Analysis.Measures;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The reference of measures in docs/metrics.md is generated from their declarations; UPDATE_SNAPSHOTS=1 regenerates it.</summary>
public sealed class MeasureDocumentTests
{
    private const string Begin = "<!-- measures: written by the test MeasureDocumentTests with UPDATE_SNAPSHOTS=1 -->\n";
    private const string End = "<!-- end of measures -->\n";

    private static readonly string s_path = Path.Combine(TestFiles.Root, "docs", "metrics.md");

    [Fact]
    public void The_reference_is_that_of_the_declarations()
    {
        var document = File.ReadAllText(s_path);
        var start = document.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        var length = document.IndexOf(End, StringComparison.Ordinal) - start;
        if (Environment.GetEnvironmentVariable("UPDATE_SNAPSHOTS") == "1")
            File.WriteAllText(s_path, document.Remove(start, length).Insert(start, Reference()));
        else
            Assert.Equal(Reference(), document.Substring(start, length));
    }

    private static string Reference()
    {
        var text = new StringBuilder(
            "| Column | Field | Unit | Definition | Of a row | Source and error | Fallback | Not recorded when | Reports | Stores |\n|---|---|---|---|---|---|---|---|---|---|\n"
        );
        foreach (var measure in RunMeasures.All)
        {
            string[] cells =
            [
                measure.Header,
                measure.Fields == ReportFields.None ? "" : Code(measure.Key),
                measure.Unit,
                measure.Definition,
                OfRow(measure),
                measure.Source,
                measure.Fallback,
                measure.NotRecorded,
                string.Join(", ", Reports(measure).Select(Code)),
                string.Join(", ", Columns(measure).Select(Code)),
            ];
            text.Append('|');
            foreach (var cell in cells)
                text.Append(' ').Append(cell.Replace("|", "\\|", StringComparison.Ordinal)).Append(cell.Length > 0 ? " |" : "|");
            text.Append('\n');
        }

        return text.ToString();
    }

    private static string OfRow(Measure measure) =>
        (measure.Fields & (ReportFields.Table | ReportFields.Causes)) == 0 && measure.Stored?.OfRow is null
            ? ""
            : measure.Aggregation switch
            {
                OverRuns.Sum => "sum",
                OverRuns.Max => measure.ValueType.IsEnum ? "the least exact" : "maximum",
                OverRuns.LowerMedian => "lower median",
                _ => "as defined",
            };

    private static IEnumerable<string> Reports(Measure measure)
    {
        if (measure.Fields.HasFlag(ReportFields.Table))
            yield return "table";
        if (measure.Fields.HasFlag(ReportFields.Runs))
            yield return "runs";
        if (measure.Fields.HasFlag(ReportFields.Causes))
            yield return "causes";
        if (measure.Compared is { } compared)
            yield return $"--metric {compared.Name}";
    }

    private static IEnumerable<string> Columns(Measure measure)
    {
        if (measure.Stored?.OfRun is not null)
            yield return $"run.{measure.Stored.Name}";
        if (measure.Stored?.OfRow is not null)
            yield return $"result.{measure.Stored.Name}";
    }

    private static string Code(string text) => $"`{text}`";
}
