using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.CommandLine;

/// <summary>Runs a command and reports unexpected exceptions as errors, without a stack trace.</summary>
public static class ToolRun
{
    /// <summary>Variable that adds the stack trace of an unexpected error, for developers of the tool.</summary>
    public const string StackVariable = "ESP_STACK";

    /// <summary>Runs a command.</summary>
    /// <param name="tool">Name of the tool.</param>
    /// <param name="error">The error stream.</param>
    /// <param name="run">Runs the command and returns the exit code.</param>
    public static int Guarded(string tool, TextWriter error, Func<int> run)
    {
        ArgumentNullException.ThrowIfNull(error);
        ArgumentNullException.ThrowIfNull(run);
        try
        {
            return run();
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            return PrintError(tool, error, exception);
        }
    }

    /// <summary>Runs a command.</summary>
    /// <param name="tool">Name of the tool.</param>
    /// <param name="error">The error stream.</param>
    /// <param name="run">Runs the command and returns the exit code.</param>
    public static async Task<int> GuardedAsync(string tool, TextWriter error, Func<Task<int>> run)
    {
        ArgumentNullException.ThrowIfNull(error);
        ArgumentNullException.ThrowIfNull(run);
        try
        {
            return await run().ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            return PrintError(tool, error, exception);
        }
    }

    private static int PrintError(string tool, TextWriter error, Exception exception)
    {
        var problem = SystemProblem.Of(
            exception,
            tool,
            $"report this with the command line; {StackVariable}=1 also prints the stack trace"
        );
        new ToolMessages(tool, error).Error(
            exception is IProblemSource ? problem : problem with { What = $"{exception.GetType().Name}: {problem.What}" }
        );
        if (Environment.GetEnvironmentVariable(StackVariable) == "1")
            error.WriteLine(exception.ToString());
        return ExitCode.Failed;
    }
}
