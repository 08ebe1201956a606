using System.Globalization;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>A measure and how its value is found.</summary>
/// <typeparam name="T">Type of the value. One that is kept is a <c>double</c>, a <c>long</c> or an enumeration.</typeparam>
/// <param name="key">Name in CSV and JSON; ends with the unit.</param>
/// <param name="unit">Unit of the value for programs; empty for counts and words.</param>
/// <param name="format">.NET format of the number for people; empty for words.</param>
public sealed class Measure<T>(string key, string unit, string format = "") : Measure(key, unit, format)
    where T : struct
{
    /// <summary>Makes the value of what the passes have read of a run; the measure is then kept with the run.</summary>
    internal Func<CollectedRun, T?>? Collect { get; init; }

    /// <summary>Computes the value of a run, where it is not kept.</summary>
    public Func<Run, T?>? OfRun { get; init; }

    /// <summary>Computes the value of a row, where it is not <see cref="OverRuns"/> of the values of its runs.</summary>
    public Func<SummaryRow, T?>? OfRow { get; init; }

    /// <summary>Computes the value of the CPU times by cause that a run or a row has.</summary>
    public Func<CauseTimes, T?>? OfCauses { get; init; }

    /// <summary>How the values of a row's runs make that of the row. The row has none when one of its runs has none: a sum over the others would look like a smaller cost.</summary>
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

    /// <summary>Value of a run; null when it was not recorded or does not apply.</summary>
    public T? ValueOf(Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return IsKept ? run.Values.Of(this) : OfCauses is not null ? Of(run.Causes) : OfRun?.Invoke(run);
    }

    /// <summary>Value of a row; null when it was not recorded or does not apply.</summary>
    public T? ValueOf(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return OfRow is not null ? OfRow(row) : OfCauses is not null ? Of(row.Causes) : Over(row.CountedRuns);
    }

    internal static double ToSlot(T? value) => value switch
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

    internal override double Restored(object? value) => value switch
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

        return values.Length == 0 ? null : FromSlot(OverRuns switch
        {
            OverRuns.Max => values.Max(),
            OverRuns.LowerMedian => values.Order().ElementAt((values.Length - 1) / 2),
            _ => values.Sum(),
        });
    }

    private static object? Plain(T? value) => value is null or double or long or bool ? value : value.ToString();
}

/// <summary>How the values of runs make that of their row.</summary>
public enum OverRuns
{
    /// <summary>Their sum.</summary>
    Sum = 0,

    /// <summary>The largest; of words, the one declared last.</summary>
    Max = 1,

    /// <summary>The median; of an even number of runs the lower of the two in the middle, a value that a run had.</summary>
    LowerMedian = 2,
}
