using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// Makes several recordings one after the other and the index that reads them as one. The index is written again behind each recording, so one that is interrupted or
/// killed leaves what was made before it.
/// </summary>
public static class RecordingSeries
{
    /// <summary>Says before anything is built that the folder cannot be used.</summary>
    /// <param name="folder">Folder of the index.</param>
    /// <exception cref="IOException">It holds something already.</exception>
    public static void CheckFolder(string folder) => RecordingFolder.CheckEmpty(folder);

    /// <summary>Records.</summary>
    /// <param name="folder">Folder of the index.</param>
    /// <param name="toolVersion">Version of the tool, for the index.</param>
    /// <param name="members">What is recorded.</param>
    /// <param name="problems">What was asked for and cannot be, a sentence each.</param>
    /// <param name="progress">Gives what is told how far a recording is.</param>
    /// <param name="interrupt">Ends the recording that is being made and makes no more.</param>
    /// <param name="kill">Ends the program that is being recorded at once.</param>
    /// <exception cref="IOException">The folder holds something, or cannot be written.</exception>
    public static async Task<SeriesResult> RunAsync(
        string folder,
        string toolVersion,
        IReadOnlyList<SeriesMember> members,
        IReadOnlyList<string> problems,
        Func<SeriesMember, IProgress<RecordingProgress>?> progress,
        CancellationToken interrupt,
        CancellationToken kill = default)
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
                index = index with { Problems = [.. index.Problems, $"{member.Label}: not recorded, interrupted by the user"] };
                continue;
            }

            try
            {
                created ??= CreatedFolders.Create(full);
                var result = await RecordingRunner.RunAsync(member.Options, progress(member), interrupt, kill).ConfigureAwait(false);
                if (result.IsRemoved)
                {
                    var problem = new Problem("nothing was recorded", $"{member.Label}: {result.Folder}", string.Join("; ", [.. result.Recording.Losses, result.Outcome]));
                    failures.Add(problem);
                    index = index with { Problems = [.. index.Problems, $"{member.Label}: nothing was recorded"] };
                    continue;
                }

                results.Add(result);
                index = index with { Recordings = [.. index.Recordings, new IndexedRecording(Path.GetRelativePath(full, result.Folder), member.Label)] };
            }
            catch (Exception exception) when (exception is LaunchException or IOException or UnauthorizedAccessException)
            {
                var problem = SystemProblem.Of(exception, member.Options.Folder, "make room, or record to another folder with --out");
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
