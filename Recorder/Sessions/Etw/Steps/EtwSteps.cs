using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>A plan as the steps of a tool.</summary>
/// <param name="Tool">The tool.</param>
/// <param name="Plan">The plan as the tool carries it out: what it cannot do has been replaced, and <paramref name="NotPossible"/> says so.</param>
/// <param name="Target">What is recorded and where to.</param>
/// <param name="Steps">The steps in order.</param>
/// <param name="NotPossible">What of the plan the tool cannot do, and what it does instead; a sentence each.</param>
public sealed record EtwSteps(EtwTool Tool, EtwPlan Plan, EtwTarget Target, IReadOnlyList<EtwStep> Steps, IReadOnlyList<string> NotPossible)
{
    /// <summary>Programs that its commands need, each once; the recorded program is not among them.</summary>
    public IReadOnlyList<string> Programs { get; } =
    [
        .. Steps.Where(step => step.Kind != EtwStepKind.Run)
            .SelectMany(step => step.Undo.Concat(step.Command is { } command ? [command] : []))
            .Select(command => command.Program)
            .Distinct(),
    ];
}
