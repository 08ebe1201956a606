using EtwSerializerProfiler.Sessions.Etw.Conduct;
using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>Carries out steps of one tool; the runner knows their order and what to take back.</summary>
public interface IEtwStepExecutor : IDisposable
{
    /// <summary>Makes sure that everything is there, before anything starts.</summary>
    /// <exception cref="EtwStepException">A program is missing.</exception>
    void Prepare(EtwSteps steps);

    /// <summary>The sessions that run.</summary>
    /// <exception cref="EtwStepException">They cannot be listed.</exception>
    Task<IReadOnlyList<EtwRunningSession>> ListAsync(EtwStep step, CancellationToken cancellation);

    /// <summary>Carries out a step.</summary>
    /// <exception cref="EtwStepException">It failed.</exception>
    Task ExecuteAsync(EtwStep step, CancellationToken cancellation);

    /// <summary>Takes a step back; tries everything even if something of it fails.</summary>
    /// <exception cref="EtwStepException">Something of it failed.</exception>
    Task UndoAsync(EtwStep step);
}
