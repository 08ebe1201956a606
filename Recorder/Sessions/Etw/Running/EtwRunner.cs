using System.Diagnostics;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>
/// Executes the steps of a plan in order. If a step fails, or the user interrupts before the program runs, it undoes all executed steps in
/// reverse order. An interrupt while the program runs ends the program; the remaining steps are still executed, so that no session is left
/// and the recording is kept.
/// </summary>
public sealed class EtwRunner
{
    private readonly EtwSteps _steps;
    private readonly EtwRunOptions _options;
    private readonly List<EtwExecutedStep> _executed = [];
    private readonly List<string> _notes = [];

    /// <summary>Steps with an effect that still exists, newest last.</summary>
    private readonly List<EtwStep> _open = [];

    private int _processId;
    private int? _exitCode;
    private bool _interrupted;

    /// <summary>Whether a step could not be undone; <c>esp-record stop</c> then needs the ledger entry.</summary>
    private bool _isLeftOpen;
    private EtwCheck? _check;

    private EtwRunner(EtwSteps steps, EtwRunOptions options) => (_steps, _options) = (steps, options);

    /// <summary>Executes the steps.</summary>
    /// <param name="steps">The steps.</param>
    /// <param name="options">Services for executing them.</param>
    /// <param name="interrupt">Ends the recording early.</param>
    public static Task<EtwRunResult> RunAsync(EtwSteps steps, EtwRunOptions options, CancellationToken interrupt)
    {
        ArgumentNullException.ThrowIfNull(steps);
        ArgumentNullException.ThrowIfNull(options);
        return new EtwRunner(steps, options).RunAsync(interrupt);
    }

    private async Task<EtwRunResult> RunAsync(CancellationToken interrupt)
    {
        var error = "";
        Problem? problem = null;
        try
        {
            var hasRun = false;
            var steps = new Queue<EtwStep>(_steps.Steps);
            while (steps.TryDequeue(out var step))
            {
                try
                {
                    // After the program, all steps are completed even if the user interrupts, because sessions outlive their recorder.
                    await CarryOutAsync(step, hasRun ? CancellationToken.None : interrupt).ConfigureAwait(false);
                }
                catch (EtwStepException exception) when (IsOfRundown(step))
                {
                    _notes.Add($"processes that still ran have no names of methods: {exception.Message}");
                    await TakeBackAsync(IsOfRundown).ConfigureAwait(false);
                    steps = new Queue<EtwStep>(StepsWithoutRundown());
                }

                hasRun |= step.Kind == EtwStepKind.Run;
            }
        }
        catch (EtwStepException exception)
        {
            (error, problem) = (exception.Message, exception.Problem);
        }
        catch (OperationCanceledException)
        {
            _interrupted = true;
            (error, problem) = (
                "interrupted before the program ran; nothing was recorded",
                new Problem(
                    "interrupted before the program ran; nothing was recorded",
                    _steps.Target.PathOf(""),
                    "record again, and wait for the end"
                )
            );
        }
        catch
        {
            // Undoes after any exception, because sessions outlive their recorder.
            await TakeBackAsync(static _ => true).ConfigureAwait(false);
            throw;
        }

        if (error.Length > 0)
            await TakeBackAsync(static _ => true).ConfigureAwait(false);
        return new EtwRunResult(_executed, _processId, _exitCode, _interrupted, error, _notes, _check) { Problem = problem };
    }

    private bool IsOfRundown(EtwStep step) =>
        step.Kind is EtwStepKind.StartRundown or EtwStepKind.WaitRundown or EtwStepKind.StopRundown
        || (step.Session is not null && step.Session == _steps.Plan.Rundown?.Session);

    /// <summary>What is to be done after a rundown that failed: the steps from the merge on.</summary>
    private IEnumerable<EtwStep> StepsWithoutRundown()
    {
        var steps = EtwStepFactory.Create(_steps.Tool, _steps.Plan with { Rundown = null }, _steps.Target);
        _options.Executor.Prepare(steps);
        return steps.Steps.SkipWhile(step => step.Kind != EtwStepKind.Merge);
    }

    private async Task CarryOutAsync(EtwStep step, CancellationToken interrupt)
    {
        interrupt.ThrowIfCancellationRequested();
        _options.OnStep?.Invoke(step.Title);
        var started = Stopwatch.GetTimestamp();
        try
        {
            await DoAsync(step, interrupt).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is EtwStepException or IOException or UnauthorizedAccessException or EtlFormatException)
        {
            var problem = SystemProblem.Of(
                exception,
                _steps.Target.PathOf(""),
                "list remaining sessions with 'esp-record sessions', then record again"
            );
            Add(step, step.Title, started, $"{step.Title}: {exception.Message}");
            throw new EtwStepException($"{step.Title}: {problem.What}", problem.Where, problem.Fix, exception);
        }
        catch (OperationCanceledException)
        {
            // A killed command may have completed its work.
            if (step.Opens.Count > 0)
                _open.Add(step);
            Add(step, step.Title, started, "interrupted");
            throw;
        }

        Add(step, step.Title, started, "");
        if (step.Opens.Count > 0)
            _open.Add(step);
        _open.RemoveAll(open => open.Opens.All(step.Closes.Contains));
    }

    private async Task DoAsync(EtwStep step, CancellationToken interrupt)
    {
        switch (step.Kind)
        {
            case EtwStepKind.Elevation:
                if (!_options.IsElevated())
                    throw new EtwStepException(
                        "the recorder is not elevated",
                        "esp-record",
                        $"{EtwErrors.Find(5)!.Fix}; 'esp-record record --dry-run' prints the plan"
                    );
                _options.Executor.Prepare(_steps);
                break;
            case EtwStepKind.Sessions:
                LookForConflicts(await _options.Executor.ListAsync(step, interrupt).ConfigureAwait(false));
                break;
            case EtwStepKind.Verify:
                LookForMissing(await _options.Executor.ListAsync(step, interrupt).ConfigureAwait(false));
                break;
            case EtwStepKind.Note:
                using (var self = Process.GetCurrentProcess())
                    _options.Ledger.Write(
                        new EtwLedgerEntry(
                            Environment.ProcessId,
                            self.StartTime.ToUniversalTime(),
                            _steps.Tool,
                            _steps.Target.PathOf(""),
                            SessionNames(),
                            _steps.Plan.Kernel.ChangesSampleInterval
                        )
                    );
                break;
            case EtwStepKind.Forget:
                if (!_isLeftOpen)
                    _options.Ledger.Remove(Environment.ProcessId);
                break;
            case EtwStepKind.Profile:
                await File.WriteAllTextAsync(step.Writes[0], _options.ProfileText(_steps.Plan), interrupt).ConfigureAwait(false);
                break;
            case EtwStepKind.Run:
                await RunProgramAsync(step, interrupt).ConfigureAwait(false);
                break;
            case EtwStepKind.WaitRundown:
                await Task.Delay(step.Wait, interrupt).ConfigureAwait(false);
                break;
            case EtwStepKind.Check:
                _check = EtwCheck.Read(_steps.Target.PathOf(EtwPlan.MergedFileName));
                _notes.AddRange(_check.Problems);
                break;
            default:
                await _options.Executor.ExecuteAsync(step, interrupt).ConfigureAwait(false);
                break;
        }
    }

    private List<string> SessionNames() =>
        [.. _steps.Steps.SelectMany(step => step.Opens).Where(name => name is not (EtwStep.NoteMark or EtwStep.IntervalMark))];

    private void LookForConflicts(IReadOnlyList<EtwRunningSession> running)
    {
        var conflict = running.FirstOrDefault(session => SessionNames().Contains(session.Name, StringComparer.OrdinalIgnoreCase));
        if (conflict is null)
            return;
        var owner = new EtwOwnership(_options.Ledger.Read(out _), EtwLedger.IsAlive, static _ => false).Find(conflict);
        throw new EtwStepException(
            $"session '{conflict.Name}' is already running: {owner.Reason}",
            $"session {conflict.Name}",
            owner.State == EtwSessionState.LeftBehind
                ? "stop it with 'esp-record stop'"
                : "end the profiler that owns it, or wait until it has ended"
        );
    }

    private void LookForMissing(IReadOnlyList<EtwRunningSession> running)
    {
        var started = _open.SelectMany(step => step.Opens).Where(name => name is not (EtwStep.NoteMark or EtwStep.IntervalMark));
        var missing = started
            .Where(name => !running.Any(session => session.Name.Equals(name, StringComparison.OrdinalIgnoreCase)))
            .ToList();
        if (missing.Count > 0)
            throw new EtwStepException(
                $"started without an error, but not running: {string.Join(", ", missing)}",
                "running sessions",
                "try another tool (--sessions traceevent)"
            );
    }

    private async Task RunProgramAsync(EtwStep step, CancellationToken interrupt)
    {
        if (step.Command is null)
        {
            await UntilInterruptedAsync(interrupt).ConfigureAwait(false);
            return;
        }

        var program = _options.Starter.Start(step, _steps.Target.WorkingDirectory, out var note);
        await using var _ = program.ConfigureAwait(false);
        if (note.Length > 0)
            _notes.Add(note);
        _processId = program.Id;
        try
        {
            _exitCode = await program.WaitAsync(interrupt).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _interrupted = true;
            await program.EndAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Without a program, an interrupt is the normal end.</summary>
    private static async Task UntilInterruptedAsync(CancellationToken interrupt)
    {
        try
        {
            await Task.Delay(Timeout.Infinite, interrupt).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The user interrupted.
        }
    }

    /// <summary>Undoes open steps, newest first. A failure does not prevent undoing the others.</summary>
    private async Task TakeBackAsync(Func<EtwStep, bool> isUndone)
    {
        for (var i = _open.Count - 1; i >= 0; i--)
        {
            var step = _open[i];
            if (!isUndone(step))
                continue;
            _open.RemoveAt(i);
            var started = Stopwatch.GetTimestamp();
            try
            {
                if (step.Kind != EtwStepKind.Note)
                    await _options.Executor.UndoAsync(step).ConfigureAwait(false);
                else if (!_isLeftOpen)
                    _options.Ledger.Remove(Environment.ProcessId);
                Add(step, $"undo: {step.Title}", started, "");
            }
            catch (Exception exception) when (exception is EtwStepException or IOException or UnauthorizedAccessException)
            {
                _isLeftOpen = true;
                Add(step, $"undo: {step.Title}", started, exception.Message);
                _notes.Add($"could not undo: {step.Title}: {exception.Message}; list remaining sessions with 'esp-record sessions'");
            }
        }
    }

    private void Add(EtwStep step, string title, long started, string error)
    {
        var undo = title != step.Title;
        var command = undo
            ? step.Undo.Count > 0
                ? string.Join(" & ", step.Undo)
                : step.UndoAction
            : step.Command?.ToString() ?? step.Action;
        _executed.Add(new EtwExecutedStep(step.Kind, title, command, Stopwatch.GetElapsedTime(started).TotalMilliseconds, error));
    }
}
