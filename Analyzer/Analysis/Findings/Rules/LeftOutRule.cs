using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Serializers of the suite that were skipped: their missing rows are not failures.</summary>
public sealed class LeftOutRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        foreach (
            var recordings in input
                .Recordings.GroupBy(recording => Text(recording.Description.Workload?.LeftOut ?? []))
                .Where(recordings => recordings.Key.Length > 0)
        )
        {
            var labels = string.Join(", ", recordings.Select(recording => recording.Label).Where(label => label.Length > 0));
            yield return Found(labels.Length > 0 ? labels + ": " : "", recordings.Key);
        }

        if (input.LeftOut.Count > 0)
            yield return Found("", Text(input.LeftOut));
    }

    private static Finding Found(string prefix, string serializers) =>
        new(FindingKind.Hint, "left-out", $"{prefix}skipped serializers: {serializers}");

    private static string Text(IReadOnlyList<LeftOutSerializer> leftOut) =>
        string.Join(
            "; ",
            leftOut
                .GroupBy(serializer => serializer.Reason, serializer => serializer.Serializer)
                .Select(group => $"{string.Join(", ", group)} ({group.Key})")
        );
}
