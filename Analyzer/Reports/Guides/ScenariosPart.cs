using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>Published cases: present or not on this machine's runtime.</summary>
internal static class ScenariosPart
{
    public static GuidePart Build(GuideInput input)
    {
        var part = new GuidePart("scenarios", "Scenarios");
        IReadOnlyList<GuideStep> steps = [.. input.Steps.Steps.Where(step => step.IsScenario)];
        if (steps.All(step => step.State != GuideStepState.Done))
            return part with { Missing = input.Missing(steps.Count > 0 ? steps[0].Key : GuideKeys.ScenarioPrefix) };
        var columns = Columns(input);
        return part with
        {
            Texts = ["Cases that were published about serializers, measured here. docs/scenarios.md has the rules of the verdicts."],
            Tables = [Section.Of("scenarios", "", steps, columns, columns)],
            Notes =
            [
                .. input
                    .Steps.LeftOut.Where(step => step.Key.StartsWith(GuideKeys.ScenarioPrefix, StringComparison.Ordinal))
                    .Select(step => $"{step.Key[GuideKeys.ScenarioPrefix.Length..]}: {step.Reason}; {step.Fix}"),
            ],
            Recordings = [.. steps.Where(step => step.State == GuideStepState.Done).Select(step => GuideInput.ReportOf(step.Key))],
        };
    }

    private static List<Column<GuideStep>> Columns(GuideInput input)
    {
        ScenarioConclusion? Of(GuideStep step) => input.Conclusions.GetValueOrDefault(step.Key);
        string Name(GuideStep step) => step.Key[GuideKeys.ScenarioPrefix.Length..];
        var columns = new List<Column<GuideStep>>
        {
            new("scenario", "Scenario", Name),
            new("verdict", "Here", step => Of(step)?.Verdict) { Absent = _ => Column<GuideStep>.NotRecorded },
            new("sentence", "Measured", step => Of(step)?.Sentence) { Absent = step => input.Missing(step.Key) },
            new("failedRows", "Failed rows", step => Of(step)?.FailedRows, "0")
            {
                Absent = _ => Column<GuideStep>.NotApplicable,
                ShownWith = step => Of(step) is { FailedRows: > 0 },
            },
            new("runtime", null, step => Of(step)?.Runtime),
            new("published", "Published", step => Of(step)?.Published ?? step.What),
        };
        if (input.Changes is { } changes)
            columns.Insert(2, new("olderVerdict", "Then", step => changes.OlderVerdict(Name(step))));
        return columns;
    }
}
