namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>All rules.</summary>
public static class FindingRules
{
    private static readonly IFindingRule[] s_rules =
    [
        new InputProblemRule(), new LostEventsRule(), new MissingRunsRule(), new RunsOutsideRule(), new CutRunsRule(), new UnknownSerializerRule(), new FailedRunsRule(), new CollectionMismatchRule(), new MarkerDisagreementRule(),
        new DelimiterErrorRule(), new SpreadRule(), new PauseShareRule(), new JitInMeasuredRunsRule(), new ShortRunsRule(), new UnmarkedProgramRule(),
    ];

    /// <summary>Applies every rule; warnings first.</summary>
    public static IReadOnlyList<Finding> Check(AnalysisResult result) => [.. s_rules.SelectMany(rule => rule.Check(result)).OrderBy(finding => finding.Kind)];
}
