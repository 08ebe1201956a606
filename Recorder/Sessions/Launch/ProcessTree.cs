using System.Globalization;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>Finds the descendants of a process.</summary>
internal static class ProcessTree
{
    /// <summary>
    /// Ids of a process's descendants, by the parents that /proc shows now; empty without /proc. Descendants whose parent has ended are not
    /// included.
    /// </summary>
    public static IReadOnlyList<int> Below(int id)
    {
        if (!OperatingSystem.IsLinux())
            return [];
        var children = Directory
            .EnumerateDirectories("/proc")
            .Select(Parent)
            .OfType<(int Id, int Parent)>()
            .ToLookup(process => process.Parent, process => process.Id);
        var found = new List<int> { id };
        for (var i = 0; i < found.Count; i++)
            found.AddRange(children[found[i]]);
        return found[1..];
    }

    /// <summary>
    /// A process and its parent, the second field after the name in parentheses (proc_pid_stat(5)); null for a folder that is not a
    /// process, and for a process that has ended.
    /// </summary>
    private static (int Id, int Parent)? Parent(string folder)
    {
        if (!int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out var id))
            return null;
        try
        {
            var stat = File.ReadAllText(Path.Combine(folder, "stat"));
            return (
                id,
                int.Parse(
                    stat[(stat.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries)[1],
                    CultureInfo.InvariantCulture
                )
            );
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
