using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>Shows the columns that no benchmark has values for: BenchmarkDotNet would leave them out, these read NA.</summary>
internal sealed class NotRecordedColumns : IColumnProvider
{
    /// <summary>Single instance, because a config drops duplicates by equality.</summary>
    public static readonly NotRecordedColumns Instance = new();

    private NotRecordedColumns() { }

    /// <inheritdoc />
    public IEnumerable<IColumn> GetColumns(Summary summary)
    {
        ArgumentNullException.ThrowIfNull(summary);
        return ProfileMetrics
            .All.Where(metric => metric.IsAlwaysShown && !summary.Reports.Any(report => report.Metrics.ContainsKey(metric.Id)))
            .Select(metric => new NotRecordedColumn(metric));
    }

    private sealed class NotRecordedColumn(ProfileMetric metric) : IColumn
    {
        public string Id => metric.Id;

        public string ColumnName => metric.DisplayName;

        public bool AlwaysShow => true;

        public ColumnCategory Category => ColumnCategory.Metric;

        public int PriorityInCategory => metric.PriorityInCategory;

        public bool IsNumeric => true;

        public UnitType UnitType => UnitType.Dimensionless;

        public string Legend => metric.Legend;

        public bool IsAvailable(Summary summary) => true;

        public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

        public string GetValue(Summary summary, BenchmarkCase benchmarkCase) => "NA";

        public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => "NA";
    }
}
