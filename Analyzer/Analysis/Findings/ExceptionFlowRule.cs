using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Exceptions in a hot path: more than one for 100 objects, or more than a twentieth of the serializer's CPU time for throwing and catching.</summary>
public sealed class ExceptionFlowRule : IFindingRule
{
    private const double LargestPerObject = 0.01;
    private const double LargestCpuShare = 0.05;

    /// <summary>Fewer in a run are no hot path, whatever the number of its objects.</summary>
    private const double LeastPerRun = 10;

    /// <summary>Fewer samples do not tell a twentieth.</summary>
    private const int LeastSamples = 100;

    /// <summary>Key of the cause.</summary>
    private const string Cause = "exceptions";

    private const string Advice = "ask before (TryParse, a look at the type) instead of throwing for each value: an exception costs 3 to 20 µs, more with every frame in between";

    private static readonly int s_cause = CauseCatalog.All.Index().First(cause => cause.Item.Key == Cause).Index;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var rows = input.Result.Rows.Where(row => IsHot(row) || CpuShare(row) > LargestCpuShare).OrderByDescending(row => CpuShare(row) ?? 0).ThenByDescending(PerObject).ToList();
        if (rows.Count > 0)
            yield return ListedFinding.Hint("exceptions", FindingConfidence.Likely, "exceptions are thrown in a hot path", rows.ConvertAll(row => Item(input, row)), Advice);
    }

    private static bool IsHot(SummaryRow row) => PerObject(row) > LargestPerObject && row.Exceptions >= LeastPerRun * row.Runs;

    /// <summary>Exceptions for each object; null when they were not recorded, or the row has no objects.</summary>
    private static double? PerObject(SummaryRow row) =>
        row.Key.ObjectCount > 0 && row.Runs > 0 ? row.Exceptions / ((double)row.Runs * row.Key.ObjectCount * row.Key.ThreadCount) : null;

    /// <summary>Share of throwing and catching in the CPU time below the serializer's entry; null when it was not recorded or the samples are too few.</summary>
    private static double? CpuShare(SummaryRow row) =>
        row.Causes is { Samples: >= LeastSamples, Serializer: > 0 } causes ? (double)causes.Causes[s_cause] / causes.Serializer : null;

    private static ListedItem Item(FindingInput input, SummaryRow row)
    {
        var (parts, figures) = (new List<string>(), new List<FindingFigure>());
        if (row.Exceptions is { } count && row.Runs > 0)
        {
            var perRun = (double)count / row.Runs;
            parts.Add(FormattableString.Invariant($"{perRun:0.#} a run"));
            figures.Add(new FindingFigure($"exceptions a run, {row.Key}", perRun, ""));
            if (PerObject(row) is { } perObject)
                figures.Add(new FindingFigure($"exceptions an object, {row.Key}", perObject, ""));
        }

        if (CpuShare(row) is { } share)
        {
            parts.Add(FormattableString.Invariant($"{share * 100:0} % of its CPU time"));
            figures.Add(new FindingFigure($"share of the serializer's CPU time for throwing and catching, {row.Key}", share * 100, "%"));
        }

        var most = input.Exceptions?.Where(thrown => thrown.Runs == row.Key).MaxBy(thrown => thrown.Count);
        if (most is not null)
            parts.Add($"mostly {most.Type ?? "of a type that is not told"}{ListedFinding.In(most.Method)}{(ListedFinding.Name(most.Caller) is { } caller ? $" below {caller}" : "")}");
        return new ListedItem($"{row.Key} ({string.Join(", ", parts)})", figures, FirstOf(most) ?? FindingPlace.Of(row.AllRuns.Where(run => run.Error.Length == 0).MaxBy(run => run.Exceptions ?? 0)!));
    }

    /// <summary>Where the first exception of a row of exceptions was thrown.</summary>
    internal static FindingPlace? FirstOf(ExceptionRow? row) =>
        row?.First is { } place ? new FindingPlace(place.Process, place.RunId, place.StartMs, place.StopMs, $"first {row.Type ?? "exception"}{ListedFinding.In(row.Method)}") : null;
}
