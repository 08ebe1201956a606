using System.Globalization;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>Reads the descriptions of tracepoints from tracefs, which usually only root may read.</summary>
internal static class TraceFileSystem
{
    private static readonly string[] s_mountPoints = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];

    /// <summary>Number of a tracepoint for perf_event_open; null when unreadable.</summary>
    public static int? FindId(string system, string name) =>
        Read($"events/{system}/{name}/id") is { } text
        && int.TryParse(text, NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture, out var id)
            ? id
            : null;

    /// <summary>Description of tracepoints for a perf.data file; empty when unreadable.</summary>
    public static byte[] Describe(IReadOnlyList<(string System, string Name)> tracepoints)
    {
        if (tracepoints.Count == 0 || Read("events/header_page") is not { } page || Read("events/header_event") is not { } header)
            return [];
        var formats = new List<(string, string)>();
        foreach (var (system, name) in tracepoints)
        {
            if (Read($"events/{system}/{name}/format") is not { } format)
                return [];
            formats.Add((system, format));
        }

        return TracingData.Write(page, header, formats);
    }

    private static string? Read(string file)
    {
        foreach (var root in s_mountPoints)
        {
            try
            {
                return File.ReadAllText(Path.Combine(root, file));
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // Not mounted at this path, or access is denied.
            }
        }

        return null;
    }
}
