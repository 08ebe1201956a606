using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// Output of the suite while it runs: a line per series on standard output; errors and warnings in one line each on standard error.
/// </summary>
public sealed class SuiteConsole(TextWriter output, TextWriter error, bool quiet)
{
    /// <summary>Number of errors.</summary>
    public int Errors { get; private set; }

    /// <summary>Reports a series.</summary>
    /// <param name="series">The measured series.</param>
    /// <param name="milliseconds">Time of each reported run that counts; at least one.</param>
    /// <param name="dataBytes">Size of the serialized data; negative for none.</param>
    /// <param name="slow">Number of runs during which the machine was slow.</param>
    /// <param name="repeated">Number of additional runs.</param>
    public void Series(PlannedSeries series, IReadOnlyCollection<double> milliseconds, long dataBytes, int slow = 0, int repeated = 0)
    {
        ArgumentNullException.ThrowIfNull(series);
        ArgumentNullException.ThrowIfNull(milliseconds);
        if (quiet)
            return;
        var slowRuns =
            slow == 0
                ? ""
                : Invariant(
                    $", {repeated} repeated on a slow machine{(slow == repeated ? "" : Invariant($", which stayed slow: {slow} slow runs in total"))}"
                );
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{series.Test,-16} {series.Serializer.Name,-24} n={(series.ObjectCount > 0 ? Invariant($"{series.ObjectCount:N0}") : "-"),-9} median {Median(milliseconds),10:N3} ms of {Count(milliseconds.Count)}{slowRuns}{(dataBytes < 0 ? "" : Invariant($"  data {dataBytes,12:N0} bytes"))}"
            )
        );
    }

    /// <summary>Reports facts about all following results, a line each.</summary>
    public void Header(IEnumerable<string> lines)
    {
        ArgumentNullException.ThrowIfNull(lines);
        if (quiet)
            return;
        foreach (var line in lines)
            output.WriteLine(line);
    }

    /// <summary>Reports additional information; on standard error if standard output must stay empty.</summary>
    public void Note(string message) => (quiet ? error : output).WriteLine(message);

    /// <summary>Reports an error, which also changes the exit code.</summary>
    public void Error(string message)
    {
        Errors++;
        error.WriteLine($"error: {FirstLine.Of(message)}");
    }

    /// <summary>Reports an error of a run of <paramref name="series"/>.</summary>
    /// <param name="series">The series.</param>
    /// <param name="message">The error.</param>
    /// <param name="skippedRuns">Number of runs of the series that are skipped because of it.</param>
    public void Error(PlannedSeries series, string message, int skippedRuns)
    {
        ArgumentNullException.ThrowIfNull(series);
        var skipped = skippedRuns > 0 ? string.Create(CultureInfo.InvariantCulture, $"; {Count(skippedRuns)} skipped") : "";
        Error(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{series.Test} {series.Serializer.Name} {SuiteOptionSet.ObjectCountName[1..]}={series.ObjectCount}: {FirstLine.Of(message)}{skipped}"
            )
        );
    }

    /// <summary>Reports something that makes results less comparable.</summary>
    public void Warning(string message) => error.WriteLine($"warning: {FirstLine.Of(message)}");

    /// <summary>The median; for an even number of values, the mean of the two in the middle.</summary>
    public static double Median(IReadOnlyCollection<double> values)
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentOutOfRangeException.ThrowIfZero(values.Count);
        var sorted = values.Order().ToArray();
        var middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private static string Count(int runs) => Plural.Of(runs, "run");
}
