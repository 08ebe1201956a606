using System.Globalization;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>Formats a summary.</summary>
public static class ExtractSummaryText
{
    /// <summary>Returns its lines.</summary>
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
            yield return Invariant(
                $"Interrupted: {summary.NotDone} of {Plural.Of(summary.Traces, "trace", "N0")} not done; run the same command again to continue."
            );
        else if (done == 0 && summary.Traces > 0)
            yield return Invariant(
                $"{summary.Known + summary.Duplicates.Count} of {Plural.Of(summary.Traces, "trace", "N0")} {Plural.Either(summary.Traces, "is", "are")} in the store already; nothing new.{Tried(summary)}"
            );
        else if (summary.Traces == 0)
            yield return "No traces were found.";
        if (done > 0)
        {
            yield return Invariant(
                $"Traces: {summary.New} new, {summary.Changed} changed, {summary.Known + summary.Duplicates.Count} already there, {summary.Failed.Count} failed.{Tried(summary)}"
            );
            var seconds = Math.Max(summary.Elapsed.TotalSeconds, 1e-3);
            yield return Invariant(
                $"Read: {summary.Bytes / 1e6:0.0} MB in {seconds:0.0} s ({summary.Bytes / 1e6 / seconds:0} MB/s) by {Plural.Of(summary.Jobs, "process", "N0")}; {Plural.Of(summary.Rows, "row", "N0")} inserted."
            );
        }

        if (summary.OtherFiles + summary.OtherFolders > 0)
            yield return Invariant(
                $"Skipped: {Plural.Of(summary.OtherFiles, "other file", "N0")}{(summary.OtherFolders > 0 ? $", {Plural.Of(summary.OtherFolders, "folder", "N0")} (--recursive searches them)" : "")}."
            );
        yield return Invariant(
            $"Store: {summary.Store with { Place = summary.Store.Shown }}{(summary.StoreBytes is { } bytes ? Invariant($" ({bytes / 1e6:0.0} MB)") : "")}"
        );
    }

    private static string Tried(ExtractSummary summary) =>
        summary.KnownFailed > 0
            ? Invariant($" {summary.KnownFailed} of the stored ones could not be read; --retry-failed tries them again.")
            : "";

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
