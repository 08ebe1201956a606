using System.Globalization;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>The processes of the machine, by /proc.</summary>
internal static class ProcessTable
{
    /// <summary>All processes below one.</summary>
    public static List<int> Below(int ancestor)
    {
        var parents = Directory
            .GetDirectories("/proc")
            .Select(folder => int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out var id) ? id : 0)
            .Where(id => id > 0)
            .Select(id => (Id: id, Parent: Parent(id)))
            .ToList();
        var below = new List<int>();
        for (var level = new List<int> { ancestor }; level.Count > 0;)
        {
            level = [.. parents.Where(process => level.Contains(process.Parent)).Select(process => process.Id)];
            below.AddRange(level);
        }

        return below;
    }

    private static int Parent(int process) =>
        Stat(process) is { Length: > 1 } fields ? int.Parse(fields[1], CultureInfo.InvariantCulture) : 0;

    /// <summary>Whether a process exists and has not ended.</summary>
    public static bool IsRunning(int process) => Stat(process) is { Length: > 0 } fields && fields[0] != "Z";

    /// <summary>Fields of /proc/PID/stat after the name; empty when the process has ended.</summary>
    private static string[] Stat(int process)
    {
        var text = Read($"/proc/{process}/stat");
        return text.Length == 0 ? [] : text[(text.LastIndexOf(')') + 2)..].Split(' ');
    }

    /// <summary>Its arguments, separated by blanks; empty when it has ended.</summary>
    public static string CommandLine(int process) => Read($"/proc/{process}/cmdline").Replace('\0', ' ');

    private static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
