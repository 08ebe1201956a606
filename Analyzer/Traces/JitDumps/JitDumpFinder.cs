using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Traces.JitDumps;

/// <summary>
/// Finds the jitdump of a process in another tool's recording: beside the recording; where the process mapped it (a runtime maps a page of
/// its dump as executable, so the recording names the file); or in /tmp.
/// </summary>
internal static class JitDumpFinder
{
    /// <summary>Finds a dump.</summary>
    /// <param name="source">The process's records.</param>
    /// <param name="memory">Its memory.</param>
    /// <param name="problems">Receives reasons why an existing dump was ignored.</param>
    /// <returns>The dump; null when there is none.</returns>
    public static JitDump? Find(ITraceSource source, CodeMemory memory, ICollection<string> problems)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(source.Name)) ?? "";
        var mapped = memory.Mappings.Select(mapping => mapping.Path).LastOrDefault(path => JitDump.IsFileName(Path.GetFileName(path)));

        // In a container, the process uses another id for the file's name.
        string[] names = mapped is null
            ? [JitDump.FileNameOf(source.ProcessId)]
            : [Path.GetFileName(mapped), JitDump.FileNameOf(source.ProcessId)];
        string[] beside = [.. names.Distinct().Select(name => Path.Combine(folder, name))];
        string[] others =
        [
            .. new[] { mapped, Path.Combine(PerfMapFinder.Folder, JitDump.FileNameOf(source.ProcessId)) }
                .OfType<string>()
                .Distinct()
                .Except(beside),
        ];
        foreach (var path in beside.Concat(others).Where(File.Exists))
        {
            var isNamed = path == mapped || beside.Contains(path);
            if (!beside.Contains(path) && FileTrust.Refusal(path, source.ProcessId) is { } reason)
                problems.Add($"{path} was not used: {reason}");
            else if (TryRead(path, isNamed ? problems : []) is { } dump && IsOf(dump, source, memory, isNamed, problems))
                return dump;
        }

        return null;
    }

    private static JitDump? TryRead(string path, ICollection<string> problems)
    {
        try
        {
            return JitDump.Read(path);
        }
        catch (TraceFormatException exception)
        {
            problems.Add(exception.Message);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            problems.Add(SystemProblem.Of(exception, path, "make it readable, or copy it beside the recording").ToString());
        }

        return null;
    }

    /// <summary>
    /// Whether a dump belongs to the process. One that ends before its first code does if the recording names it: without code, addresses
    /// cannot identify it.
    /// </summary>
    private static bool IsOf(JitDump dump, ITraceSource source, CodeMemory memory, bool isNamed, ICollection<string> problems)
    {
        if (memory.Holds(dump.Codes.Select(code => code.Start), inFiles: true) || (dump.Codes.Count == 0 && isNamed))
            return true;
        if (isNamed)
            problems.Add(
                $"{dump.Path} was not used: it belongs to another process, because its code is not in the memory of process {source.ProcessId}"
            );
        return false;
    }
}
