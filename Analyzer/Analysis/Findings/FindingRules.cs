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
    /// <param name="input">What was read.</param>
    public static IReadOnlyList<Finding> Check(FindingInput input) => [.. s_rules.SelectMany(rule => rule.Check(input)).OrderBy(finding => finding.Kind)];
}
