using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Sessions.Attach;

/// <summary>Finds .NET processes by their diagnostic ports.</summary>
public static class RunningProcesses
{
    /// <summary>Where diagnostic ports are searched.</summary>
    public static string PortFolder => DiagnosticPort.Folder;

    /// <summary>
    /// Process ids of the running .NET processes except this one. Searches ports as <see cref="AttachTarget"/> does: the client library's
    /// own list fails when a kernel process has no environment.
    /// </summary>
    public static IReadOnlyList<int> Ids()
    {
        try
        {
            var pattern = OperatingSystem.IsWindows() ? $"{DiagnosticPort.Prefix}*" : $"{DiagnosticPort.Prefix}*-socket";
            var ports = Directory.EnumerateFiles(PortFolder, pattern);
            var ids = ports
                .Select(port => Path.GetFileName(port)[DiagnosticPort.Prefix.Length..].Split('-')[0])
                .Select(text => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var id) ? id : 0);
            return [.. ids.Where(id => id > 0 && id != Environment.ProcessId && Name(id).Length > 0).Distinct().Order()];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return []; // a port in an unreadable folder could not be used either
        }
    }

    /// <summary>Finds all processes and asks their runtimes.</summary>
    /// <param name="answerLimit">Time limit for the answer of a runtime.</param>
    public static async Task<IReadOnlyList<RunningProcess>> FindAllAsync(TimeSpan answerLimit)
    {
        var found = await Task.WhenAll(Ids().Select(id => ReadAsync(id, answerLimit))).ConfigureAwait(false);
        return [.. found.OfType<RunningProcess>()];
    }

    /// <summary>Finds the process with a name.</summary>
    /// <param name="name">The name or a part of it, ignoring case.</param>
    /// <param name="answerLimit">Time limit for the answer of a runtime.</param>
    /// <returns>Its process id.</returns>
    /// <exception cref="AttachException">No process or several processes have this name.</exception>
    public static async Task<int> FindAsync(string name, TimeSpan answerLimit)
    {
        ArgumentNullException.ThrowIfNull(name);
        var all = await FindAllAsync(answerLimit).ConfigureAwait(false);
        var names = NameChoice.Find(name, all.Select(process => process.Name));
        var matching = all.Where(process => names.Contains(process.Name, StringComparer.OrdinalIgnoreCase)).ToList();
        return matching switch
        {
            [var only] => only.ProcessId,
            [] => throw new AttachException(
                $"no .NET process has the name '{name}'",
                $"--name {name}",
                $"{NameChoice.Advice(name, all.Select(process => process.Name)).TrimEnd('?')}; 'esp-record ps' lists them"
            ),
            _ => throw new AttachException(
                $"{matching.Count} .NET processes have the name '{name}'",
                $"processes {string.Join(", ", matching.Select(process => $"{process.Name} {process.ProcessId}"))}",
                "attach by process id: esp-record attach PID"
            ),
        };
    }

    private static async Task<RunningProcess?> ReadAsync(int processId, TimeSpan answerLimit)
    {
        try
        {
            var target = await AttachTarget.FindAsync(processId, answerLimit).ConfigureAwait(false);
            return target.WithoutRuntime is null
                ? new RunningProcess(processId, Name(processId), target.RuntimeVersion, target.Command)
                : null; // null: a killed process left this port
        }
        catch (AttachException)
        {
            return null; // the process has ended meanwhile, or belongs to another user
        }
    }

    /// <summary>Name of a process; empty when it has ended.</summary>
    private static string Name(int processId) => OtherProcess.Read(processId, process => process.ProcessName, "");
}
