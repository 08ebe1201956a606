using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Sessions.Attach;

/// <summary>Finds .NET processes by their diagnostic ports.</summary>
public static class RunningProcesses
{
    /// <summary>Process ids of those that run, but for this one. Their ports are looked for as <see cref="AttachTarget"/> does: the client library's own list fails where a process of the kernel has no environment.</summary>
    public static IReadOnlyList<int> Ids()
    {
        try
        {
            var ports = OperatingSystem.IsWindows() ? Directory.EnumerateFiles(@"\\.\pipe\", $"{DiagnosticPort.Prefix}*") : Directory.EnumerateFiles(Path.GetTempPath(), $"{DiagnosticPort.Prefix}*-socket");
            var ids = ports.Select(port => Path.GetFileName(port)[DiagnosticPort.Prefix.Length..].Split('-')[0]).Select(text => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var id) ? id : 0);
            return [.. ids.Where(id => id > 0 && id != Environment.ProcessId && Name(id).Length > 0).Distinct().Order()];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return []; // a folder that may not be read holds no port that could be used
        }
    }

    /// <summary>All of them with what they say of themselves.</summary>
    /// <param name="answerLimit">How long a runtime may take to say its version.</param>
    public static async Task<IReadOnlyList<RunningProcess>> FindAllAsync(TimeSpan answerLimit)
    {
        var found = await Task.WhenAll(Ids().Select(id => ReadAsync(id, answerLimit))).ConfigureAwait(false);
        return [.. found.OfType<RunningProcess>()];
    }

    /// <summary>The only process of a name.</summary>
    /// <param name="name">The name, or a part of it, in any case.</param>
    /// <param name="answerLimit">How long a runtime may take to say its version.</param>
    /// <returns>Its process id.</returns>
    /// <exception cref="AttachException">There is none, or there are several.</exception>
    public static async Task<int> FindAsync(string name, TimeSpan answerLimit)
    {
        ArgumentNullException.ThrowIfNull(name);
        var all = await FindAllAsync(answerLimit).ConfigureAwait(false);
        var names = NameChoice.Find(name, all.Select(process => process.Name));
        var matching = all.Where(process => names.Contains(process.Name, StringComparer.OrdinalIgnoreCase)).ToList();
        return matching switch
        {
            [var only] => only.ProcessId,
            [] => throw new AttachException($"no .NET process is called '{name}'", $"--name {name}", $"{NameChoice.Advice(name, all.Select(process => process.Name)).TrimEnd('?')}; 'esp-record ps' lists them"),
            _ => throw new AttachException($"{matching.Count} .NET processes are called '{name}'", $"processes {string.Join(", ", matching.Select(process => $"{process.Name} {process.ProcessId}"))}", "name one by its id: esp-record attach PID"),
        };
    }

    private static async Task<RunningProcess?> ReadAsync(int processId, TimeSpan answerLimit)
    {
        try
        {
            var target = await AttachTarget.FindAsync(processId, answerLimit).ConfigureAwait(false);
            return target.WithoutRuntime is null ? new RunningProcess(processId, Name(processId), target.RuntimeVersion, target.Command) : null; // a port that a killed process left behind
        }
        catch (AttachException)
        {
            return null; // it ended meanwhile, or is another user's
        }
    }

    /// <summary>Its name; empty when it has ended.</summary>
    private static string Name(int processId) => OtherProcess.Read(processId, process => process.ProcessName, "");
}
