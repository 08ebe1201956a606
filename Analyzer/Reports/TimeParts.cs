using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports;

/// <summary>
/// Divides the wall time of a row's runs into the serializer's CPU time by cause (from samples) and the time outside the serializer.
/// </summary>
internal static class TimeParts
{
    /// <summary>Ready time of the measuring thread.</summary>
    public const string Ready = "No processor";

    /// <summary>Wait time of the measuring thread.</summary>
    public const string Waiting = "Waiting";

    /// <summary>The rest: the benchmark's own work, and wait and ready time that was not recorded.</summary>
    public const string Outside = "Outside";

    /// <summary>Names of the serializer's parts in the order of the bars.</summary>
    public static IReadOnlyList<string> Inside { get; } =
    [CauseColumns.OwnName, .. CauseCatalog.All.Select(cause => cause.Group).Distinct()];

    /// <summary>The non-zero parts in ms, summed over the row's runs; null when causes were not recorded.</summary>
    public static IReadOnlyList<(string Name, double Ms)>? Of(SummaryRow row)
    {
        if (row.Causes is not { } causes || row.WallTotalMs is not { } wall)
            return null;
        List<(string Name, double Ms)> parts = [.. Inside.Select(name => (name, causes.ToMilliseconds(TicksOf(causes, name))))];
        var rest = Math.Max(0, wall - parts.Sum(part => part.Ms));
        if (row.Key.ThreadCount == 1)
        {
            Take(Ready, SchedulingMeasures.Ready.ValueOf(row));
            Take(Waiting, SchedulingMeasures.Wait.ValueOf(row));
        }

        Take(Outside, rest);
        return [.. parts.Where(part => part.Ms > 0)];

        void Take(string name, double? ms)
        {
            var taken = Math.Min(ms ?? 0, rest);
            parts.Add((name, taken));
            rest -= taken;
        }
    }

    /// <summary>CPU time of the serializer in one part.</summary>
    public static long TicksOf(CauseTimes causes, string part) => part == CauseColumns.OwnName ? causes.Own : causes.Group(part);
}
