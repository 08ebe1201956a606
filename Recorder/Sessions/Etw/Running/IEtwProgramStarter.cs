using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>Starts the program that is recorded.</summary>
public interface IEtwProgramStarter
{
    /// <summary>Starts it.</summary>
    /// <param name="step">The step: command and variables.</param>
    /// <param name="workingDirectory">Working directory, empty for the recorder's.</param>
    /// <param name="note">What the user has to know of how it was started; empty for nothing.</param>
    /// <exception cref="EtwStepException">It cannot be started.</exception>
    IEtwProgram Start(EtwStep step, string workingDirectory, out string note);
}
