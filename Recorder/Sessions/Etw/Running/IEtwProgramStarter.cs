using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>Starts the recorded program.</summary>
public interface IEtwProgramStarter
{
    /// <summary>Starts the program.</summary>
    /// <param name="step">The step with command and variables.</param>
    /// <param name="workingDirectory">Working directory; empty for the recorder's.</param>
    /// <param name="note">Message for the user about how it was started; empty for none.</param>
    /// <exception cref="EtwStepException">The program cannot be started.</exception>
    IEtwProgram Start(EtwStep step, string workingDirectory, out string note);
}
