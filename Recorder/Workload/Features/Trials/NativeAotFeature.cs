using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Whether a serializer works in a program that NativeAOT compiled.</summary>
/// <param name="program">The suite's program compiled by NativeAOT; null or empty before it was published.</param>
public sealed class NativeAotFeature(string? program)
    : Feature(
        "native-aot",
        "Runtimes",
        "NativeAOT",
        "Round trips of an object of the suite's data, with and without payload, in the suite published by NativeAOT (--runtime net10.0-aot); not tried until it is published."
    )
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    /// <inheritdoc/>
    public override bool UsesSuiteData => true;

    /// <inheritdoc/>
    public override FeatureCell Try(FeatureTrial trial)
    {
        ArgumentNullException.ThrowIfNull(trial);
        if (program is not { Length: > 0 })
            return new FeatureCell(
                FeatureCell.NotTried,
                "the suite was not published by NativeAOT: esp-record features --runtime net10.0,net10.0-aot"
            );
        return TrialProcess.WhyUnavailable(trial.Subject.OfSuiteData(), new ChildProcess(program, [], s_limit)) is { } reason
            ? FeatureCell.Failed(reason)
            : FeatureCell.Worked();
    }
}
