using System.Globalization;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>A measure with the functions for its value.</summary>
/// <typeparam name="T">Type of the value. One that is kept is a <c>double</c>, a <c>long</c> or an enumeration.</typeparam>
/// <param name="key">Name in CSV and JSON; ends with the unit.</param>
/// <param name="unit">Unit of the value in CSV and JSON; empty for counts and words.</param>
/// <param name="format">.NET format of the number in text output; empty for words.</param>
public sealed class Measure<T>(string key, string unit, string format = "") : Measure(key, unit, format)
    where T : struct
{
    /// <summary>Takes the value from a collected run; the measure is then stored with the run.</summary>
    internal Func<CollectedRun, T?>? Collect { get; init; }

    /// <summary>Computes the value of a run if it is not stored.</summary>
    public Func<Run, T?>? OfRun { get; init; }

    /// <summary>Computes the value of a row if it is not <see cref="OverRuns"/> of its runs' values.</summary>
    public Func<SummaryRow, T?>? OfRow { get; init; }

    /// <summary>Computes the value from the CPU times by cause of a run or a row.</summary>
    public Func<CauseTimes, T?>? OfCauses { get; init; }

    /// <summary>
    /// Aggregation of the runs' values. A row has no value if one of its runs has none, because a sum over the others would look like a
    /// smaller cost.
    /// </summary>
    public OverRuns OverRuns { get; init; } = OverRuns.Sum;

    /// <inheritdoc />
    public override Type ValueType => typeof(T);

    /// <inheritdoc />
    public override OverRuns? Aggregation => OfRow is null && OfCauses is null ? OverRuns : null;

    /// <inheritdoc />
    public override bool IsKept => Collect is not null;

    /// <inheritdoc />
    public override object? Of(Run run) => Plain(ValueOf(run));

    /// <inheritdoc />
    public override object? Of(SummaryRow row) => Plain(ValueOf(row));

    /// <summary>Value of a run; null when not recorded or not applicable.</summary>
    public T? ValueOf(Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return IsKept ? run.Values.Of(this)
            : OfCauses is not null ? Of(run.Causes)
            : OfRun?.Invoke(run);
    }

    /// <summary>Value of a row; null when not recorded or not applicable.</summary>
    public T? ValueOf(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return OfRow is not null ? OfRow(row)
            : OfCauses is not null ? Of(row.Causes)
            : Over(row.CountedRuns);
    }

    internal static double ToSlot(T? value) =>
        value switch
        {
            null => double.NaN,
            double number => number,
            long count => count,
            _ => Convert.ToInt32(value, CultureInfo.InvariantCulture),
        };

    internal static T? FromSlot(double slot) =>
        double.IsNaN(slot) ? null
        : typeof(T) == typeof(double) ? (T)(object)slot
        : typeof(T) == typeof(long) ? (T)(object)(long)slot
        : (T)Enum.ToObject(typeof(T), (int)slot);

    internal override double Collected(CollectedRun run) => run.Has(Needs) ? ToSlot(Collect!(run)) : double.NaN;

    internal override double Restored(object? value) =>
        value switch
        {
            null or "" => double.NaN,
            string name => ToSlot(Enum.Parse<T>(name)),
            _ => Convert.ToDouble(value, CultureInfo.InvariantCulture),
        };

    private T? Of(CauseTimes? times) => times is null ? null : OfCauses!(times);

    private T? Over(IReadOnlyList<Run> runs)
    {
        var values = new double[runs.Count];
        for (var i = 0; i < values.Length; i++)
        {
            values[i] = ToSlot(ValueOf(runs[i]));
            if (double.IsNaN(values[i]))
                return null;
        }

        return values.Length == 0
            ? null
            : FromSlot(
                OverRuns switch
                {
                    OverRuns.Max => values.Max(),
                    OverRuns.LowerMedian => values.Order().ElementAt((values.Length - 1) / 2),
                    _ => values.Sum(),
                }
            );
    }

    private static object? Plain(T? value) => value is null or double or long or bool ? value : value.ToString();
}

/// <summary>Aggregations of runs to their row.</summary>
public enum OverRuns
{
    /// <summary>Sum.</summary>
    Sum = 0,

    /// <summary>Maximum; for words, the one declared last.</summary>
    Max = 1,

    /// <summary>Median; for an even number of runs the lower of the two in the middle, so that a run had the value.</summary>
    LowerMedian = 2,
}
