using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>Makes the steps that carry out a plan with a tool.</summary>
public static class EtwStepFactory
{
    /// <summary>The steps, in order.</summary>
    /// <param name="tool">The tool.</param>
    /// <param name="plan">The plan.</param>
    /// <param name="target">What is recorded and where to. A folder or command may hold parameters of a script: <c>%OUT%</c>.</param>
    public static EtwSteps Create(EtwTool tool, EtwPlan plan, EtwTarget target)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(target);
        return EtwRenderer.Render(tool, plan, target);
    }
}
