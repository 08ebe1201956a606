using System.Diagnostics;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Executes a <see cref="PublishPlan"/>. Reuses a build whose sources have not changed.</summary>
/// <param name="project">The suite's project.</param>
public sealed class WorkloadPublisher(WorkloadProject project)
{
    /// <summary>Interval between checks whether another esp-record has finished building the same variant.</summary>
    private static readonly TimeSpan s_lockInterval = TimeSpan.FromMilliseconds(200);

    /// <summary>Output of the last build, in the build's folder.</summary>
    private const string LogName = "publish.log";

    /// <summary>
    /// Time limit of a build: the first one downloads runtime packs of about 100 MB, and NativeAOT needs two minutes of processor time, of
    /// which a busy machine has little.
    /// </summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromMinutes(60);

    /// <summary>Whether a build from the current sources exists.</summary>
    public bool IsCurrent(PublishPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return plan.Command.Count == 0 || PublishStamp.Matches(plan.BuildFolder, PublishStamp.Of(plan.Command, project));
    }

    /// <summary>Publishes the suite, unless an up-to-date build exists.</summary>
    /// <param name="plan">The build.</param>
    /// <param name="cancellation">Cancels the build.</param>
    /// <returns>Time of the build; null when it existed already.</returns>
    /// <exception cref="PublishException">The build failed; the message has the reason.</exception>
    /// <exception cref="OperationCanceledException">The build was cancelled.</exception>
    public async Task<TimeSpan?> PublishAsync(PublishPlan plan, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(plan);
        if (IsCurrent(plan))
            return null;
        var elapsed = Stopwatch.StartNew();
        try
        {
            Directory.CreateDirectory(plan.BuildFolder);
            using var alone = await LockAsync(plan, elapsed, cancellation).ConfigureAwait(false);
            if (IsCurrent(plan))
                return null; // another process has built it

            // The next stamp detects a change of sources during the build.
            var stamp = PublishStamp.Of(plan.Command, project);
            PublishStamp.Clear(plan.BuildFolder);
            if (Directory.Exists(plan.OutputFolder))
                Directory.Delete(plan.OutputFolder, recursive: true); // so that no file of an earlier build is measured
            await RunAsync(plan, cancellation).ConfigureAwait(false);
            if (plan.FacadesFolder.Length > 0)
                MonoFacades.Create(
                    Path.Combine(plan.BuildFolder, "obj", Path.GetFileNameWithoutExtension(project.File), "project.assets.json"),
                    plan.FacadesFolder
                );
            PublishStamp.Write(plan.BuildFolder, stamp);
            return elapsed.Elapsed;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new PublishException(
                $"the build cannot be written: {exception.Message.TrimEnd('.')}",
                plan.BuildFolder,
                "free disk space, or make the folder writable",
                exception
            );
        }
    }

    private async Task RunAsync(PublishPlan plan, CancellationToken cancellation)
    {
        // The build runs in English, so that its errors can be parsed here.
        var environment = new Dictionary<string, string?>
        {
            ["DOTNET_CLI_UI_LANGUAGE"] = "en",
            ["DOTNET_NOLOGO"] = "1",
            ["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1",
        };
        var build =
            await CapturedProcess
                .RunAsync(plan.Command, Path.GetDirectoryName(project.File)!, environment, Limit, cancellation)
                .ConfigureAwait(false)
            ?? throw new PublishException("the .NET SDK cannot be started", plan.Command[0], "install the .NET SDK");
        var log = Path.Combine(plan.BuildFolder, LogName);
        await File.WriteAllTextAsync(log, $"{string.Join(' ', plan.Command)}\n{build.Output}{build.Error}", cancellation)
            .ConfigureAwait(false);
        if (build.ExitCode is null)
            throw new PublishException(
                $"the build did not end within {Limit.TotalMinutes:0.#} minutes and was killed",
                log,
                "see in its output where it hangs; often a feed does not answer"
            );
        if (build.ExitCode != 0)
            throw BuildErrors.Explain(build.Output + build.Error, log);
    }

    /// <summary>Prevents another esp-record from building into the same folder.</summary>
    private async Task<FileStream> LockAsync(PublishPlan plan, Stopwatch elapsed, CancellationToken cancellation)
    {
        while (true)
        {
            try
            {
                return new FileStream(
                    Path.Combine(plan.BuildFolder, "publish.lock"),
                    FileMode.OpenOrCreate,
                    FileAccess.ReadWrite,
                    FileShare.None
                );
            }
            catch (IOException) when (elapsed.Elapsed < Limit)
            {
                await Task.Delay(s_lockInterval, cancellation).ConfigureAwait(false);
            }
        }
    }
}
