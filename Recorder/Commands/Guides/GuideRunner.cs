using System.Diagnostics;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Reports.Guides;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands.Guides;

/// <summary>Runs the steps of a guide, each as a command of esp-record, and keeps a list of their states.</summary>
/// <param name="folder">The guide's folder.</param>
/// <param name="steps">The steps with their states; written after each change.</param>
/// <param name="progress">Receives the progress.</param>
/// <param name="run">Runs esp-record with arguments, standard output and standard error; returns its exit code.</param>
internal sealed class GuideRunner(
    string folder,
    GuideSteps steps,
    TextWriter progress,
    Func<string[], TextWriter, TextWriter, Task<int>> run
)
{
    private const string Error = "error: ";

    /// <summary>The steps that failed.</summary>
    public IEnumerable<GuideStep> Failed => steps.Steps.Where(step => step.State == GuideStepState.Failed);

    /// <summary>Runs the steps that are not done.</summary>
    /// <returns>The exit code: <see cref="ExitCode.Interrupted"/> after Ctrl+C, <see cref="ExitCode.Failed"/> when a step failed.</returns>
    public async Task<int> RunAsync()
    {
        steps.Write(folder);
        for (var i = 0; i < steps.Steps.Count; i++)
        {
            var step = steps.Steps[i];
            var name = $"step {i + 1} of {steps.Steps.Count}, {step.Key}";
            if (step.State == GuideStepState.Done && HasResult(step)) // a user may have deleted the result to record it again
            {
                await progress.WriteLineAsync($"{name}: done before").ConfigureAwait(false);
                continue;
            }

            await progress.WriteLineAsync($"{name}: {step.What} ({GuideTime.Left(steps.Steps)})").ConfigureAwait(false);
            if (await RunAsync(step).ConfigureAwait(false) == ExitCode.Interrupted)
                return ExitCode.Interrupted;
        }

        return Failed.Any() ? ExitCode.Failed : ExitCode.Done;
    }

    private async Task<int> RunAsync(GuideStep step)
    {
        Update(step with { State = GuideStepState.Begun });
        var place = Path.Combine(folder, step.Key);
        if (Directory.Exists(place))
            Directory.Delete(place, recursive: true); // an interrupted or failed attempt
        File.Delete(place);
        var isScenario = step.IsScenario;
        var isRecorded = step.Arguments[0] == "record";
        using var output = new StringWriter();
        using var said = new StringWriter();
        using var error = new TeeWriter(said, isScenario ? null : progress);
        var elapsed = Stopwatch.StartNew();

        List<string> arguments = [.. step.Arguments, "--out", place];
        if (isRecorded)
            arguments.Add("--no-config"); // an esp.json may name a program of its own
        if (isScenario)
            arguments.AddRange(["--format", "csv", "--quiet"]); // its table then goes to the error stream, which is kept beside it
        var code = await run([.. arguments], output, error).ConfigureAwait(false);
        if (code == ExitCode.Interrupted || (isRecorded && IsEndedByUser(place)))
            return ExitCode.Interrupted;
        if (isRecorded)
            await File.WriteAllTextAsync(place + ".txt", isScenario ? said.ToString() : output.ToString()).ConfigureAwait(false);
        // A serializer that fails is a result, too.
        var isDone = HasResult(step) && code is ExitCode.Done or ExitCode.Failed;
        var lines = said.ToString().Split('\n', StringSplitOptions.TrimEntries);
        Update(
            step with
            {
                State = isDone ? GuideStepState.Done : GuideStepState.Failed,
                Seconds = Math.Round(elapsed.Elapsed.TotalSeconds, 1),
                Outcome = isDone ? "" : Reason(lines, code),
            }
        );
        return code;
    }

    private bool HasResult(GuideStep step)
    {
        var place = Path.Combine(folder, step.Key);
        return File.Exists(place) || File.Exists(Path.Combine(place, Recording.FileName)) || RecordingIndexFile.Exists(place);
    }

    /// <summary>Whether Ctrl+C ended a recording: <c>record</c> then succeeds, but the guide lacks the remaining runs.</summary>
    private static bool IsEndedByUser(string place)
    {
        IEnumerable<string> folders = RecordingIndexFile.Exists(place)
            ? RecordingIndexFile.Read(place).Recordings.Select(recording => RecordingIndexFile.FolderOf(place, recording))
            : [place];
        return folders.Any(folder => File.Exists(Path.Combine(folder, Recording.FileName)) && RecordingFile.Read(folder).EndedByUser);
    }

    private static string Reason(string[] lines, int code)
    {
        var problem = Array.Find(lines, line => line.Contains(Error, StringComparison.Ordinal));
        return problem is null ? $"exit code {code}" : problem[problem.IndexOf(Error, StringComparison.Ordinal)..];
    }

    private void Update(GuideStep step)
    {
        steps = steps.With(step);
        steps.Write(folder);
    }
}
