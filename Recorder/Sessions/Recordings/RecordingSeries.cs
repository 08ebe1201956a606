using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// Records several times, one after the other, and writes an index to read the recordings together. It rewrites the index after each
/// recording, so an interrupted or killed series keeps the earlier recordings.
/// </summary>
public static class RecordingSeries
{
    /// <summary>Checks before any build that the folder can be used.</summary>
    /// <param name="folder">Folder of the index.</param>
    /// <exception cref="IOException">The folder is not empty.</exception>
    public static void CheckFolder(string folder) => RecordingFolder.CheckEmpty(folder);

    /// <summary>Records all members of the series.</summary>
    /// <param name="folder">Folder of the index.</param>
    /// <param name="toolVersion">Version of the tool, for the index.</param>
    /// <param name="members">The recordings to make.</param>
    /// <param name="problems">What was requested but cannot be recorded, a sentence each.</param>
    /// <param name="progress">Creates the receiver of a recording's progress.</param>
    /// <param name="interrupt">Ends the current recording and the series.</param>
    /// <param name="kill">Kills the recorded program.</param>
    /// <exception cref="IOException">The folder is not empty or cannot be written.</exception>
    public static async Task<SeriesResult> RunAsync(
        string folder,
        string toolVersion,
        IReadOnlyList<SeriesMember> members,
        IReadOnlyList<string> problems,
        Func<SeriesMember, IProgress<RecordingProgress>?> progress,
        CancellationToken interrupt,
        CancellationToken kill = default
    )
    {
        ArgumentNullException.ThrowIfNull(members);
        ArgumentNullException.ThrowIfNull(progress);
        CheckFolder(folder);
        var full = Path.GetFullPath(folder);
        var index = new RecordingIndex(RecordingIndex.CurrentSchema, toolVersion, DateTime.UtcNow, [], problems);
        var results = new List<RecordingResult>();
        var failures = new List<Problem>();
        CreatedFolders? created = null;
        foreach (var member in members)
        {
            if (interrupt.IsCancellationRequested)
            {
                index = index with { Problems = [.. index.Problems, $"{member.Label}: not recorded because the user interrupted"] };
                continue;
            }

            try
            {
                created ??= CreatedFolders.Create(full);
                var result = await RecordingRunner.RunAsync(member.Options, progress(member), interrupt, kill).ConfigureAwait(false);
                if (result.IsRemoved)
                {
                    var problem = new Problem(
                        "nothing was recorded",
                        $"{member.Label}: {result.Folder}",
                        string.Join("; ", [.. result.Recording.Losses, result.Outcome])
                    );
                    failures.Add(problem);
                    index = index with { Problems = [.. index.Problems, $"{member.Label}: nothing was recorded"] };
                    continue;
                }

                results.Add(result);
                index = index with
                {
                    Recordings = [.. index.Recordings, new IndexedRecording(Path.GetRelativePath(full, result.Folder), member.Label)],
                };
            }
            catch (Exception exception) when (exception is LaunchException or IOException or UnauthorizedAccessException)
            {
                var problem = SystemProblem.Of(exception, member.Options.Folder, "free disk space, or record to another folder with --out");
                failures.Add(problem with { Where = $"{member.Label}: {problem.Where}" });
                index = index with { Problems = [.. index.Problems, $"{member.Label}: {exception.Message}"] };
            }

            if (results.Count > 0)
                RecordingIndexFile.Write(full, index);
        }

        if (results.Count > 0)
            RecordingIndexFile.Write(full, index);
        else
            created?.RemoveEmpty();
        return new SeriesResult(full, index, results, interrupt.IsCancellationRequested) { Failures = failures };
    }
}
