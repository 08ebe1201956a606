using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>Executes steps by running their commands.</summary>
public sealed class ToolStepExecutor : IEtwStepExecutor
{
    /// <summary>
    /// On busy servers, flushing the kernel session took a quarter of an hour, and so did merging large files. Anything beyond this limit
    /// is a hang.
    /// </summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromHours(2);

    private static readonly Dictionary<string, string?> s_noVariables = [];

    private readonly Dictionary<string, string> _programs = [];

    /// <inheritdoc/>
    public void Prepare(EtwSteps steps)
    {
        ArgumentNullException.ThrowIfNull(steps);
        var missing = new List<string>();
        foreach (var program in steps.Programs)
        {
            if (ToolLocator.Find(program) is { } path)
                _programs[program] = path;
            else
                missing.Add(program);
        }

        if (missing.Count > 0)
            throw new EtwStepException(
                $"{string.Join(" and ", missing)} {(missing.Count == 1 ? "was" : "were")} not found",
                "the folders of PATH",
                string.Join("; ", missing.Select(EtwTools.Origin).Distinct())
            );
    }

    /// <inheritdoc/>
    public async Task<IReadOnlyList<EtwRunningSession>> ListAsync(EtwStep step, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(step);
        return EtwSessionListing.Read(await RunAsync(step.Command!, cancellation).ConfigureAwait(false));
    }

    /// <inheritdoc/>
    public Task ExecuteAsync(EtwStep step, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(step);
        return RunAsync(step.Command!, cancellation);
    }

    /// <inheritdoc/>
    public async Task UndoAsync(EtwStep step)
    {
        ArgumentNullException.ThrowIfNull(step);
        var failures = new List<string>();
        foreach (var command in step.Undo)
        {
            try
            {
                await RunAsync(command, CancellationToken.None).ConfigureAwait(false);
            }
            catch (EtwStepException exception)
            {
                failures.Add(exception.Message);
            }
        }

        if (failures.Count > 0)
            throw new EtwStepException(
                string.Join("; ", failures),
                step.Title,
                "list remaining sessions with 'esp-record sessions', and stop them with 'esp-record stop'"
            );
    }

    /// <inheritdoc />
    public void Dispose() { }

    private async Task<string> RunAsync(EtwCommand command, CancellationToken cancellation)
    {
        var path = _programs.TryGetValue(command.Program, out var found)
            ? found
            : ToolLocator.Find(command.Program)
                ?? throw new EtwStepException($"{command.Program} was not found", "the folders of PATH", EtwTools.Origin(command.Program));
        var result =
            await CapturedProcess
                .RunAsync([path, .. command.Arguments], Environment.CurrentDirectory, s_noVariables, s_limit, cancellation)
                .ConfigureAwait(false)
            ?? throw new EtwStepException(
                "the tool cannot be started",
                path,
                "reinstall it, or record with another tool (--sessions traceevent)"
            );
        var output = (result.Output + "\n" + result.Error).Trim();
        if (result.ExitCode == 0)
            return output;
        var said = output.Length == 0 ? "it printed nothing" : $"it printed: {LastLine(output)}";
        if (result.ExitCode is not { } code)
            throw new EtwStepException(
                $"it did not end within {s_limit.TotalHours} hours and was killed",
                $"{command}",
                "run the command by hand to see what it waits for"
            );
        throw EtwErrors.Explain(code, output) is { } error
            ? new EtwStepException($"{error.Title}: {error.Meaning}; {said}", $"{command}", error.Fix)
            : new EtwStepException(
                $"it ended with 0x{code:X8}; {said}",
                $"{command}",
                "run the command by hand, or record with another tool (--sessions traceevent)"
            );
    }

    private static string LastLine(string output) =>
        output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).LastOrDefault("");
}
