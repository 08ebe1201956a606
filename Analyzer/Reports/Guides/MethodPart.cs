using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Writers;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>How the guide was measured: machine, settings, what was left out, and how far to trust it.</summary>
internal static class MethodPart
{
    private static IReadOnlyList<Column<GuideStep>> Steps { get; } =
    [
        new("step", "Step", step => step.Key),
        new("state", "State", step => step.State.ToString()),
        new("seconds", "Seconds", step => step.Seconds, "0") { Absent = _ => Column<GuideStep>.NotApplicable },
        new("command", "Command", step => step.Command),
        new("outcome", null, step => step.Outcome),
    ];

    private static IReadOnlyList<Column<(string Serializer, string Reason)>> LeftOut { get; } =
    [new("serializer", "Left out", row => row.Serializer), new("reason", "Why", row => row.Reason)];

    private static IReadOnlyList<Column<GuideLeftOut>> LeftOutSteps { get; } =
    [
        new("step", "Step left out", step => step.Key),
        new("reason", "Why", step => step.Reason),
        new("fix", "How to get it", step => step.Fix),
    ];

    public static GuidePart Build(GuideInput input)
    {
        var texts = new List<string>();
        IReadOnlyList<(string Serializer, string Reason)> leftOut = [];
        if (input.ThroughputRuns is { } read)
        {
            texts.AddRange(HeaderLines.Of(ReportBuilder.Table(read.Input, read.Result)));
            var trust = TableTrust.Of(read.Result, read.Result.Rows);
            texts.Add($"Trust: {trust.Text}{(trust.Reasons.Length > 0 ? $" ({trust.Reasons})" : "")}.");
            var bySuite = read.Input.Recordings.SelectMany(recording => recording.Description.Workload?.LeftOut ?? []);
            leftOut = [.. bySuite.Concat(read.Input.LeftOut).Select(item => (item.Serializer, item.Reason)).Distinct()];
        }

        var seconds = input.Steps.Steps.Sum(step => step.Seconds ?? 0);
        return new GuidePart("method", "How it was measured")
        {
            Texts = texts,
            Missing = input.ThroughputRuns is null ? $"machine and settings: {input.Missing(GuideKeys.Throughput)}" : "",
            Tables =
            [
                Section.Of("steps", "", input.Steps.Steps, Steps, Steps),
                .. input.Steps.LeftOut.Count > 0
                    ? [Section.Of("leftOutSteps", "", input.Steps.LeftOut, LeftOutSteps, LeftOutSteps)]
                    : Array.Empty<Section>(),
                .. leftOut.Count > 0 ? [Section.Of("leftOut", "", leftOut, LeftOut, LeftOut)] : Array.Empty<Section>(),
            ],
            Notes = [FormattableString.Invariant($"Made by esp-record {input.Steps.ToolVersion}; its steps took {seconds:0} s.")],
        };
    }
}
