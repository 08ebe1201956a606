using EtwSerializerProfiler.Analysis.Findings.Rules;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>All rules.</summary>
public static class FindingRules
{
    private static readonly IFindingRule[] s_rules =
    [
        // Losses and contradictions.
        new InputProblemRule(),
        new LostEventsRule(),
        new MissingRunsRule(),
        new RunsOutsideRule(),
        new CutRunsRule(),
        new EventRunsRule(),
        new UnknownSerializerRule(),
        new FailedRunsRule(),
        new DumpedRunsRule(),
        new GcMismatchRule(),
        new MarkerDisagreementRule(),
        // Making and recording of the runs.
        new LeftOutRule(),
        new DebugBuildRule(),
        new RuntimeSettingRule(),
        new SampleIntervalRule(),
        new BrokenStacksRule(),
        new DelimiterErrorRule(),
        new IterationsRule(),
        new NoisyMachineRule(),
        new SpreadRule(),
        new LaunchRule(),
        new UnsettledRule(),
        // Behaviour of the runs.
        new GrowthRule(),
        new LongPauseRule(),
        new InducedGcRule(),
        new PauseShareRule(),
        new FinalizerRule(),
        new GenerationZeroBudgetRule(),
        new LargeObjectRule(),
        new ReflectionRule(),
        new JitInMeasuredRunsRule(),
        new InstrumentedCodeRule(),
        new NotPrecompiledRule(),
        new ShortRunsRule(),
        new UnmarkedProgramRule(),
        new LockScalingRule(),
        new DataContractLockRule(),
        new PoolStarvationRule(),
        new PoolWaitRule(),
        new ExceptionStormRule(),
        new ExceptionFlowRule(),
        new Base64FormatRule(),
        new XmlCodeGenerationRule(),
    ];

    /// <summary>Applies every rule.</summary>
    /// <param name="input">The trace input.</param>
    public static IReadOnlyList<Finding> Check(FindingInput input) => [.. Ordered(s_rules.SelectMany(rule => rule.Check(input)))];

    /// <summary>
    /// Orders findings: warnings first; then hints with a cost in time, most expensive first; then the others. Equal hints are ordered by
    /// confidence.
    /// </summary>
    internal static IEnumerable<Finding> Ordered(IEnumerable<Finding> findings) =>
        findings
            .OrderBy(finding => finding.Kind)
            .ThenByDescending(finding => finding.CostMs ?? 0)
            .ThenBy(finding => finding.CostMs is null ? FindingConfidence.Certain : finding.Confidence);
}
