using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>Published cases: present or not on this machine's runtime.</summary>
internal static class ScenariosPart
{
    private const string Found = "Found: ";

    private static readonly string[] s_verdicts = ["present", "not present", "not decided"];

    private static IReadOnlyList<Column<GuideStep>> Columns { get; } =
    [
        new("scenario", "Scenario", step => step.Key[GuideKeys.ScenarioPrefix.Length..]),
        new("verdict", "Here", Verdict) { Absent = _ => "not recorded" },
        new("sentence", "Measured", Sentence) { Absent = step => step.Outcome.Length > 0 ? step.Outcome : "run the guide again" },
        new("published", "Published", step => step.What),
    ];

    /// <summary>Builds the part.</summary>
    public static GuidePart Build(GuideInput input)
    {
        var part = new GuidePart("scenarios", "Scenarios");
        IReadOnlyList<GuideStep> steps =
        [
            .. input.Steps.Steps.Where(step => step.Key.StartsWith(GuideKeys.ScenarioPrefix, StringComparison.Ordinal)),
        ];
        if (steps.All(step => step.State != GuideStepState.Done))
            return part with { Missing = input.Missing(steps.Count > 0 ? steps[0].Key : GuideKeys.ScenarioPrefix) };
        return part with
        {
            Texts = ["Cases that were published about serializers, measured here. docs/scenarios.md has the rules of the verdicts."],
            Tables = [Section.Of("scenarios", "", steps, Columns, Columns)],
            Recordings = [.. steps.Where(step => step.State == GuideStepState.Done).Select(step => GuideInput.ReportOf(step.Key))],
        };
    }

    /// <summary>The verdict in a scenario's last line, <c>Found: VERDICT on this runtime (NAME): SENTENCE</c>; null without one.</summary>
    private static string? Verdict(GuideStep step) =>
        Array.Find(s_verdicts, verdict => step.Outcome.StartsWith(Found + verdict, StringComparison.Ordinal));

    private static string? Sentence(GuideStep step)
    {
        var at = step.Outcome.IndexOf("): ", StringComparison.Ordinal);
        return Verdict(step) is not null && at >= 0 ? step.Outcome[(at + 3)..] : null;
    }
}
