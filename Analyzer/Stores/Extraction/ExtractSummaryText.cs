using System.Globalization;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>A summary in words.</summary>
public static class ExtractSummaryText
{
    /// <summary>Its lines.</summary>
    public static IEnumerable<string> Lines(ExtractSummary summary)
    {
        ArgumentNullException.ThrowIfNull(summary);
        foreach (var (path, error) in summary.Failed)
            yield return $"failed: {(error.StartsWith(path, StringComparison.Ordinal) ? error : $"{path}: {error}")}";
        foreach (var duplicate in summary.Duplicates)
            yield return $"same content as another trace: {duplicate}";
        foreach (var problem in summary.Problems)
            yield return $"not searched: {problem}";
        var done = summary.New + summary.Changed + summary.Failed.Count;
        if (summary.IsInterrupted)
            yield return Invariant($"Interrupted: {summary.NotDone} of {Count(summary.Traces, "trace")} not done; the same command goes on where this one stopped.");
        else if (done == 0 && summary.Traces > 0)
            yield return Invariant($"{summary.Known + summary.Duplicates.Count} of {Count(summary.Traces, "trace")} {(summary.Traces == 1 ? "is" : "are")} in the store already; nothing new.{Tried(summary)}");
        else if (summary.Traces == 0)
            yield return "No traces were found.";
        if (done > 0)
        {
            yield return Invariant($"Traces: {summary.New} new, {summary.Changed} changed, {summary.Known + summary.Duplicates.Count} already there, {summary.Failed.Count} failed.{Tried(summary)}");
            var seconds = Math.Max(summary.Elapsed.TotalSeconds, 1e-3);
            yield return Invariant($"Read: {summary.Bytes / 1e6:0.0} MB in {seconds:0.0} s ({summary.Bytes / 1e6 / seconds:0} MB/s) by {Count(summary.Jobs, "process", "processes")}; {Count(summary.Rows, "row")} put in.");
        }

        if (summary.OtherFiles + summary.OtherFolders > 0)
            yield return Invariant($"Passed over: {Count(summary.OtherFiles, "other file")}{(summary.OtherFolders > 0 ? $", {Count(summary.OtherFolders, "folder")} (search them, too, with --recursive)" : "")}.");
        yield return Invariant($"Store: {summary.Store with { Place = summary.Store.Shown }}{(summary.StoreBytes is { } bytes ? Invariant($" ({bytes / 1e6:0.0} MB)") : "")}");
    }

    private static string Tried(ExtractSummary summary) =>
        summary.KnownFailed > 0 ? Invariant($" {summary.KnownFailed} of those that are there could not be read; --retry-failed tries them again.") : "";

    private static string Count(long count, string one, string? several = null) => Invariant($"{count:N0} {(count == 1 ? one : several ?? one + "s")}");

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
