using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>Executes steps with one tool. The runner knows their order and which to undo.</summary>
public interface IEtwStepExecutor : IDisposable
{
    /// <summary>Checks before anything starts that all programs exist.</summary>
    /// <exception cref="EtwStepException">A program is missing.</exception>
    void Prepare(EtwSteps steps);

    /// <summary>Lists the running sessions.</summary>
    /// <exception cref="EtwStepException">They cannot be listed.</exception>
    Task<IReadOnlyList<EtwRunningSession>> ListAsync(EtwStep step, CancellationToken cancellation);

    /// <summary>Executes a step.</summary>
    /// <exception cref="EtwStepException">The step failed.</exception>
    Task ExecuteAsync(EtwStep step, CancellationToken cancellation);

    /// <summary>Undoes a step; continues after a failure.</summary>
    /// <exception cref="EtwStepException">A part of it failed.</exception>
    Task UndoAsync(EtwStep step);
}
