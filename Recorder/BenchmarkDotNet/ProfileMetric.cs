using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>A column of the summary.</summary>
/// <param name="displayName">Its header.</param>
/// <param name="legend">Definition and source of the value.</param>
/// <param name="priority">Its position among the metrics.</param>
/// <param name="always">Whether it is shown when it is 0 for all benchmarks.</param>
/// <param name="value">Value of a run in ns or bytes; null when it was not recorded.</param>
/// <param name="unit">Unit of the value.</param>
internal sealed class ProfileMetric(
    string displayName,
    string legend,
    int priority,
    bool always,
    Func<Run, double?> value,
    UnitType unit = UnitType.Time
) : IMetricDescriptor
{
    /// <inheritdoc />
    public string Id => $"{SerializerProfileDiagnoser.Id}.{displayName}";

    /// <inheritdoc />
    public string DisplayName => displayName;

    /// <inheritdoc />
    public string Legend => legend;

    /// <inheritdoc />
    public string NumberFormat => unit == UnitType.Size ? "0.##" : "#0.000";

    /// <inheritdoc />
    public UnitType UnitType => unit;

    /// <inheritdoc />
    public string Unit => unit == UnitType.Size ? "B" : "ns";

    /// <inheritdoc />
    public bool TheGreaterTheBetter => false;

    /// <inheritdoc />
    public int PriorityInCategory => priority;

    /// <summary>Whether the column is shown even when it is 0 for all benchmarks, or was not recorded for any.</summary>
    public bool IsAlwaysShown => always;

    /// <inheritdoc />
    public bool GetIsAvailable(Metric metric) => always || metric.Value > 0;

    /// <summary>Value per operation over some runs; null when one of them lacks it.</summary>
    public double? Of(IReadOnlyList<Run> runs)
    {
        double sum = 0;
        foreach (var run in runs)
        {
            if (value(run) is not { } part)
                return null;
            sum += part;
        }

        return runs.Count > 0 ? sum / runs.Sum(run => run.Operations) : null;
    }
}
