namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Commands that write files into a folder and list them.</summary>
internal static class WrittenFiles
{
    /// <summary>Writes them; a folder that cannot be written is a line and an exit code.</summary>
    /// <param name="write">Writes and gives the paths.</param>
    public static async Task<int> RunAsync(Func<IReadOnlyList<string>> write)
    {
        try
        {
            foreach (var path in write())
                await Console.Out.WriteLineAsync($"Written: {path}").ConfigureAwait(false);
            return ExitCode.Done;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return await RecordingAction.FailAsync($"{exception.Message}; choose another folder with --out", ExitCode.NotPossible).ConfigureAwait(false);
        }
    }
}
