using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>Creates the steps of a plan for a tool.</summary>
public static class EtwStepFactory
{
    /// <summary>Creates the steps in order.</summary>
    /// <param name="tool">The tool.</param>
    /// <param name="plan">The plan.</param>
    /// <param name="target">Command and folder of the recording. Both may contain parameters of a script: <c>%OUT%</c>.</param>
    public static EtwSteps Create(EtwTool tool, EtwPlan plan, EtwTarget target)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(target);
        return EtwRenderer.Render(tool, plan, target);
    }
}
