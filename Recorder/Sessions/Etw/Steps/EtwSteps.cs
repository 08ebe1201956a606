using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>A plan and the steps of a tool for it.</summary>
/// <param name="Tool">The tool.</param>
/// <param name="Plan">The plan after adapting it to the tool; <paramref name="NotPossible"/> lists the replacements.</param>
/// <param name="Target">Command and folder of the recording.</param>
/// <param name="Steps">The steps in order.</param>
/// <param name="NotPossible">What the tool cannot do and what it does instead, a sentence each.</param>
public sealed record EtwSteps(EtwTool Tool, EtwPlan Plan, EtwTarget Target, IReadOnlyList<EtwStep> Steps, IReadOnlyList<string> NotPossible)
{
    /// <summary>Programs that its commands need, without duplicates and without the recorded program.</summary>
    public IReadOnlyList<string> Programs { get; } =
    [
        .. Steps
            .Where(step => step.Kind != EtwStepKind.Run)
            .SelectMany(step => step.Undo.Concat(step.Command is { } command ? [command] : []))
            .Select(command => command.Program)
            .Distinct(),
    ];
}
