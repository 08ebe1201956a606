using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.Attach;

/// <summary>Reads facts about a process from /proc (proc(5)).</summary>
internal static class ProcFileSystem
{
    /// <summary>
    /// Mappings that only a process with a .NET runtime has: the runtime's library, or the JIT's memory where the program's own file
    /// contains the runtime.
    /// </summary>
    private static readonly string[] s_runtimeMappings = ["/libcoreclr.so", "/memfd:doublemapper", "/libclrjit.so"];

    /// <summary>Reads a process. <see cref="Process.Refusal"/> explains why it cannot be recorded.</summary>
    public static Process Read(int processId)
    {
        var status = Lines($"/proc/{processId}/status");
        if (status.Length == 0 || Value(status, "State").StartsWith('Z'))
            return new Process
            {
                Refusal = new Problem(
                    $"process {processId} does not exist or has ended",
                    $"process {processId}",
                    "list the .NET processes with 'esp-record ps'"
                ),
            };
        if (Value(status, "Tgid") is var group && group != processId.ToString(CultureInfo.InvariantCulture))
            return new Process
            {
                Refusal = new Problem(
                    "this is a thread, not a process",
                    $"thread {processId} of process {group}",
                    $"attach to process {group}"
                ),
            };

        var owner = Value(status, "Uid").Split('\t', 2)[0];
        var own = Value(Lines("/proc/self/status"), "Uid").Split('\t')[1];
        if (own != "0" && own != owner)
            return new Process
            {
                Refusal = new Problem(
                    $"it belongs to another user (uid {owner})",
                    $"process {processId}",
                    "run esp-record as that user or as root"
                ),
            };

        var environment = new Dictionary<string, string>();
        foreach (var variable in Text($"/proc/{processId}/environ").Split('\0', StringSplitOptions.RemoveEmptyEntries))
        {
            var name = variable.IndexOf('=', StringComparison.Ordinal);
            if (name > 0)
                environment[variable[..name]] = variable[(name + 1)..];
        }

        return new Process
        {
            Started = StartTime(processId),
            WorkingDirectory = Link($"/proc/{processId}/cwd"),
            IsDotNet = Lines($"/proc/{processId}/maps")
                .Any(line => s_runtimeMappings.Any(mapping => line.Contains(mapping, StringComparison.Ordinal))),
            Environment = environment,
            HasOwnIds = Value(status, "NSpid").Contains('\t', StringComparison.Ordinal),
            HasOwnFiles = Link($"/proc/{processId}/ns/mnt") != Link("/proc/self/ns/mnt"),
        };
    }

    /// <summary>
    /// Start of a process in clock ticks since boot: field 22 of stat, the 20th after the name. Empty when the process has ended.
    /// </summary>
    public static string StartTime(int processId)
    {
        var stat = Text($"/proc/{processId}/stat");
        var fields = stat.Length == 0 ? [] : stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        return fields.Length > 19 && fields[0] is not ("Z" or "X") ? fields[19] : "";
    }

    private static string Value(string[] status, string name) =>
        status.FirstOrDefault(line => line.StartsWith(name + ":", StringComparison.Ordinal))?[(name.Length + 1)..].Trim() ?? "";

    private static string[] Lines(string path) => Text(path).Split('\n', StringSplitOptions.RemoveEmptyEntries);

    private static string Text(string path)
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

    private static string Link(string path)
    {
        try
        {
            return new FileInfo(path).LinkTarget ?? "";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }

    public sealed record Process
    {
        /// <summary>Why it cannot be recorded; null when it can.</summary>
        public Problem? Refusal { get; init; }

        /// <summary>See <see cref="StartTime"/>.</summary>
        public string Started { get; init; } = "";

        /// <summary>Working directory; empty when unknown.</summary>
        public string WorkingDirectory { get; init; } = "";

        /// <summary>Whether a .NET runtime is loaded; true when unknown.</summary>
        public bool IsDotNet { get; init; } = true;

        /// <summary>Environment at its start.</summary>
        public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

        /// <summary>Whether the process has other ids in its own namespace than here, that is, runs in a container.</summary>
        public bool HasOwnIds { get; init; }

        /// <summary>Whether the process sees other files under the same paths; true when unknown.</summary>
        public bool HasOwnFiles { get; init; }
    }
}
