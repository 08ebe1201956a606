using System.Globalization;
using EtwSerializerProfiler.Sessions.Attach;
using EtwSerializerProfiler.Traces.ThisMachine;
using Microsoft.Diagnostics.NETCore.Client;

namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>
/// The port on which a runtime listens (documentation/design-docs/ipc-protocol.md of dotnet/diagnostics): a pipe on Windows; elsewhere a
/// socket in TMPDIR whose name contains the process id and, on Linux, the start time.
/// </summary>
internal static class DiagnosticPort
{
    /// <summary>Prefix of the names of all ports.</summary>
    public const string Prefix = "dotnet-diagnostic-";

    /// <summary>Where the ports are.</summary>
    public static string Folder => OperatingSystem.IsWindows() ? @"\\.\pipe\" : Path.GetTempPath();

    /// <summary>Finds the port of a process.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="refusal">Why an existing port may not be used; null otherwise.</param>
    /// <returns>Name of the pipe or path of the socket; empty when there is no usable one.</returns>
    public static string Find(int processId, out string? refusal)
    {
        refusal = null;
        var name = string.Create(CultureInfo.InvariantCulture, $"{Prefix}{processId}");
        if (OperatingSystem.IsWindows())
            return Path.GetFileName(First(name)); // listed, because File.Exists would open the pipe and use up one of its connections
        var started = OperatingSystem.IsLinux() ? ProcFileSystem.StartTime(processId) : "*";
        var port = started.Length == 0 ? "" : First($"{name}-{started}-socket");
        if (port.Length == 0 || FileTrust.Refusal(port, processId) is not { } reason)
            return port;
        refusal = $"{port} is not the process's diagnostic port: {reason}";
        return "";
    }

    private static string First(string pattern)
    {
        try
        {
            return Directory.EnumerateFiles(Folder, pattern).FirstOrDefault("");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return ""; // a port in an unreadable folder could not be used either
        }
    }

    /// <summary>
    /// A client for a process. The library's own search takes the newest socket with the process id in its name, regardless of owner and
    /// start time.
    /// </summary>
    /// <exception cref="ServerNotAvailableException">The process has no usable port.</exception>
    public static async Task<DiagnosticsClient> OpenAsync(int processId, CancellationToken cancellation)
    {
        if (OperatingSystem.IsWindows())
            return new DiagnosticsClient(processId);
        var port = Find(processId, out var refusal);
        if (port.Length == 0)
            throw new ServerNotAvailableException(
                refusal
                    ?? string.Create(
                        CultureInfo.InvariantCulture,
                        $"process {processId} has ended, or has no diagnostic port in {Path.GetTempPath()}"
                    )
            );
        var connector = await DiagnosticsClientConnector.FromDiagnosticPort($"{port},connect", cancellation).ConfigureAwait(false);
        return connector.Instance; // for a port that the runtime listens on, the connector has nothing to dispose
    }
}
