using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// Processes of a recording whose runtime has no diagnostic port (Mono, .NET Framework). The run CSV lists them, or the launched program
/// wrote a perf map. The kernel session has their samples and context switches.
/// </summary>
/// <param name="folder">The recording's folder.</param>
/// <param name="command">The recorded command.</param>
/// <param name="startedUtc">Start of the recording: an older perf map belongs to another process.</param>
/// <param name="mapFolder">Folder of the runtimes' perf maps.</param>
internal sealed class UntracedProcesses(
    RecordingFolder folder,
    IReadOnlyList<string> command,
    DateTime startedUtc,
    string mapFolder = "/tmp"
)
{
    /// <summary>Finds processes without a diagnostic port, the launched program first.</summary>
    /// <param name="traced">Processes with sessions.</param>
    /// <param name="launched">Process id of the launched program; null when unknown.</param>
    /// <param name="exitCode">Its exit code; null when unknown.</param>
    public IReadOnlyList<RecordedProcess> Find(IReadOnlyList<RecordedProcess> traced, int? launched, int? exitCode)
    {
        var found = new List<(int Id, string Runtime)>();
        foreach (var row in Rows())
        {
            if (!found.Exists(process => process.Id == row.ProcessId) && !traced.Any(process => process.ProcessId == row.ProcessId))
                found.Add((row.ProcessId, row.Runtime));
        }

        if (traced.Count + found.Count == 0 && launched is { } only && MapOf(only) is { } own && FileTrust.Refusal(own, only) is null)
            found.Add((only, ""));
        var hasMeasured = traced.Count > 0;
        return
        [
            .. found
                .OrderBy(process => process.Id != launched)
                .Select(
                    (process, place) =>
                        new RecordedProcess(
                            process.Id,
                            place == 0 && !hasMeasured ? ProcessRole.Measured : ProcessRole.Descendant,
                            process.Id == launched ? CommandLineText.Join(command) : "",
                            process.Runtime,
                            process.Id == launched ? exitCode : null,
                            []
                        )
                ),
        ];
    }

    /// <summary>Copies the perf maps of processes into the recording, so that it stays readable later and on other machines.</summary>
    /// <returns>What could not be copied, a sentence each.</returns>
    public IReadOnlyList<string> CopyMaps(IEnumerable<RecordedProcess> processes)
    {
        var problems = new List<string>();
        foreach (var process in processes)
        {
            if (MapOf(process.ProcessId) is not { } map)
                continue;
            if (FileTrust.Refusal(map, process.ProcessId) is { } reason)
            {
                problems.Add($"names of compiled methods were not copied from {map}: {reason}");
                continue;
            }

            try
            {
                File.Copy(map, folder.File(Path.GetFileName(map)), overwrite: true);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                problems.Add($"names of compiled methods were not copied from {map}: {exception.Message.TrimEnd('.')}");
            }
        }

        return problems;
    }

    private string? MapOf(int processId)
    {
        var file = new FileInfo(Path.Combine(mapFolder, PerfMap.FileNameOf(processId)));
        return file is { Exists: true, Length: > 0 } && file.LastWriteTimeUtc >= startedUtc ? file.FullName : null;
    }

    /// <summary>Rows of the run CSV; empty when it is unreadable, which the reader of the recording reports.</summary>
    private IReadOnlyList<RunCsvRow> Rows()
    {
        try
        {
            var path = folder.File(Recording.RunsFileName);
            return File.Exists(path) ? RunCsvReader.Read(path).Rows : [];
        }
        catch (Exception exception) when (exception is TraceFormatException or IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
