using System.Diagnostics;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>
/// Records by ETW into a folder: the files of the sessions, the merged file, and recording.json with the plan and every executed command.
/// </summary>
public static class EtwRecorder
{
    /// <summary>Runs the steps: starts the sessions, runs the command, stops the sessions and merges their files.</summary>
    /// <param name="steps">The steps; their folder is that of <paramref name="options"/>.</param>
    /// <param name="run">Services for executing the steps.</param>
    /// <param name="options">Command and folder.</param>
    /// <param name="interrupt">Ends the recording early.</param>
    /// <exception cref="IOException">The folder is not empty or cannot be written.</exception>
    /// <exception cref="EtwStepException">Nothing was recorded; the message has reason and fix.</exception>
    public static async Task<RecordingResult> RunAsync(
        EtwSteps steps,
        EtwRunOptions run,
        RecordOptions options,
        CancellationToken interrupt
    )
    {
        ArgumentNullException.ThrowIfNull(steps);
        ArgumentNullException.ThrowIfNull(run);
        ArgumentNullException.ThrowIfNull(options);
        using var folder = RecordingFolder.Create(options.Folder);
        var (startedUtc, started) = (DateTime.UtcNow, Stopwatch.GetTimestamp());
        folder.WriteInterim(() => Describe(new EtwRunResult([], 0, null, false, Recording.NotEnded, [], null)));
        var result = await EtwRunner.RunAsync(steps, run, interrupt).ConfigureAwait(false);
        if (result.ProcessId == 0 && !result.HasTrace)
        {
            foreach (var file in steps.Steps.SelectMany(step => step.Writes))
                File.Delete(file); // files of sessions that were undone
            var problem = result.Problem ?? new Problem(result.Error, options.Folder, "record again");
            throw new EtwStepException(string.Join("; ", (string[])[problem.What, .. result.Notes]), problem.Where, problem.Fix);
        }

        var recording = Describe(result);
        folder.WriteFinal(recording);
        return new RecordingResult(folder.Path, recording, result.ExitCode);

        Recording Describe(EtwRunResult outcome) =>
            new(
                Recording.CurrentSchema,
                options.ToolVersion,
                startedUtc,
                Stopwatch.GetElapsedTime(started).TotalMilliseconds,
                Complete: outcome is { HasTrace: true, Notes.Count: 0 },
                Interruption(outcome),
                options.Command,
                options.WorkingDirectory,
                options.BuiltInSuite,
                HostDescription.Read(),
                PlannedSessions: [],
                outcome.ProcessId == 0
                    ? []
                    :
                    [
                        new RecordedProcess(
                            outcome.ProcessId,
                            ProcessRole.Measured,
                            CommandLineText.Join(options.Command),
                            "",
                            outcome.ExitCode,
                            []
                        ),
                    ],
                File.Exists(folder.File(Recording.RunsFileName)) ? Recording.RunsFileName : "",
                outcome.Error.Length > 0 && outcome.ProcessId != 0 ? [outcome.Error, .. outcome.Notes] : outcome.Notes
            )
            {
                Mode = options.Mode.ToString(),
                Variables = options.Variables,
                Workload = options.Workload,
                Configuration = options.Configuration,
                MyCode = options.MyCode,
                Source = options.Source,
                Etw = DescribeSessions(steps, outcome),
                EndedByUser = outcome.Interrupted,
            };
    }

    private static string Interruption(EtwRunResult outcome) =>
        outcome.Error.Length > 0 ? outcome.Error
        : outcome.Notes.Count > 0 ? outcome.Notes[0]
        : "";

    private static RecordedEtw DescribeSessions(EtwSteps steps, EtwRunResult outcome)
    {
        var (plan, kernel) = (steps.Plan, steps.Plan.Kernel);
        var stacks = KernelEventNames.In(kernel.StackEvents).Select(name => name.Flag).ToHashSet();
        return new RecordedEtw(
            EtwTools.NameOf(steps.Tool),
            plan.Purpose.ToString().ToLowerInvariant(),
            outcome.HasTrace ? EtwPlan.MergedFileName : "",
            [
                new RecordedEtwSession(
                    kernel.Name,
                    kernel.FileName,
                    [.. KernelEventNames.In(kernel.Events).Select(name => name.Flag + (stacks.Contains(name.Flag) ? " with stacks" : ""))],
                    kernel.Buffers.SizeKB,
                    kernel.Buffers.Maximum
                ),
                .. plan.AllUserSessions.Select(session => new RecordedEtwSession(
                    session.Name,
                    session.FileName,
                    [.. session.Providers.Select(EtwStepText.Describe)],
                    session.Buffers.SizeKB,
                    session.Buffers.Maximum
                )),
            ],
            steps.NotPossible,
            [.. outcome.Steps.Select(step => new RecordedEtwStep(step.Title, step.Command, step.Milliseconds, step.Error))],
            outcome.Check?.EventsLost,
            outcome.Check?.BuffersLost,
            outcome.Check?.RunsStopped
        );
    }
}
