using System.ComponentModel;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Launch;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>
/// Starts the program without the recorder's administrator rights, with the token of the desktop's shell if there is one.
/// </summary>
public sealed class EtwProgramStarter : IEtwProgramStarter
{
    /// <inheritdoc/>
    public IEtwProgram Start(EtwStep step, string workingDirectory, out string note)
    {
        ArgumentNullException.ThrowIfNull(step);
        IReadOnlyList<string> command = [step.Command!.Program, .. step.Command.Arguments];
        var directory = workingDirectory.Length > 0 ? workingDirectory : Environment.CurrentDirectory;
        note = "";
        if (OperatingSystem.IsWindows())
        {
            try
            {
                var (handle, id) = ShellToken.Start(command, directory, step.Environment);
                return new ShellProgram(handle, id);
            }
            catch (Exception exception) when (exception is Win32Exception or EntryPointNotFoundException)
            {
                note =
                    $"the program runs with the recorder's administrator rights, because it could not be started with those of the desktop ({exception.Message})";
            }
        }

        try
        {
            var environment = step.Environment.ToDictionary(pair => pair.Key, pair => (string?)pair.Value);
            return new Child(ChildProcess.Start(command, directory, environment, output: null));
        }
        catch (LaunchException exception)
        {
            throw new EtwStepException(exception.Problem.What, exception.Problem.Where, exception.Problem.Fix, exception);
        }
    }

    private sealed class Child(ChildProcess process) : IEtwProgram
    {
        public int Id => process.Id;

        public async Task<int> WaitAsync(CancellationToken cancellation)
        {
            await process.WaitForExitAsync(cancellation).ConfigureAwait(false);
            return process.ExitCode ?? 0;
        }

        public Task EndAsync() => process.EndAsync(atOnce: false);

        public ValueTask DisposeAsync() => process.DisposeAsync();
    }
}
