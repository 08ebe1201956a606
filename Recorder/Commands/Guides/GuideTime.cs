using EtwSerializerProfiler.Reports.Guides;

namespace EtwSerializerProfiler.Recorder.Commands.Guides;

/// <summary>Times of steps in words.</summary>
internal static class GuideTime
{
    /// <summary>The time that a step took, or its estimate.</summary>
    public static string Of(GuideStep step) =>
        step.State == GuideStepState.Done
            ? FormattableString.Invariant($"done, {step.Seconds ?? 0:0} s")
            : $"about {Text(step.EstimatedSeconds)}";

    /// <summary>
    /// The estimate of the steps that are not done. Those that are done correct it, because this machine may be slower or faster.
    /// </summary>
    public static string Left(IReadOnlyList<GuideStep> steps)
    {
        var done = steps.Where(step => step is { State: GuideStepState.Done, Seconds: not null, EstimatedSeconds: > 0 }).ToList();
        var left = steps.Where(step => step.State != GuideStepState.Done).Sum(step => step.EstimatedSeconds);
        var factor = done.Count > 0 ? done.Sum(step => step.Seconds!.Value) / done.Sum(step => step.EstimatedSeconds) : 1;
        return left > 0 ? $"about {Text(left * factor)}{(done.Count > 0 ? " left" : "")}" : "nothing left";
    }

    private static string Text(double seconds) =>
        seconds < 90 ? FormattableString.Invariant($"{seconds:0} s") : FormattableString.Invariant($"{seconds / 60:0} min");
}
