using System.IO.Pipes;
using System.Net.Sockets;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Sessions.Attach;

/// <summary>A running process to record, as it was before anything started in it.</summary>
/// <param name="ProcessId">Process id.</param>
/// <param name="Command">Program and arguments.</param>
/// <param name="WorkingDirectory">Its working directory; empty when unreadable.</param>
/// <param name="RuntimeVersion">Version of its runtime; empty when it has no diagnostic port or did not answer.</param>
/// <param name="WithoutRuntime">Why the events of its runtime cannot be recorded; null when they can.</param>
public sealed record AttachTarget(
    int ProcessId,
    IReadOnlyList<string> Command,
    string WorkingDirectory,
    string RuntimeVersion,
    Problem? WithoutRuntime
)
{
    /// <summary>Start time of the process. It detects a later process with the same id.</summary>
    private string Started { get; init; } = "";

    /// <summary>
    /// Whether the process was started with inline information from its runtime; null when its environment is unreadable.
    /// </summary>
    public bool? TellsInlining { get; private init; }

    /// <summary>Examines a process.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="answerLimit">Time limit for the runtime's answer with its version.</param>
    /// <exception cref="AttachException">It does not exist, or may not be recorded.</exception>
    public static async Task<AttachTarget> FindAsync(int processId, TimeSpan answerLimit)
    {
        if (processId == Environment.ProcessId)
            throw new AttachException("this is esp-record itself", $"process {processId}", "name another process");
        var process = OperatingSystem.IsLinux() ? ProcFileSystem.Read(processId) : ReadPortably(processId);
        if (process.Refusal is { } refusal)
            throw new AttachException(refusal.What, refusal.Where, refusal.Fix);

        var port = DiagnosticPort.Find(processId, out var untrusted);
        var (reported, version) = port.Length == 0 ? ("", "") : await AskAsync(port, answerLimit).ConfigureAwait(false);
        return new AttachTarget(
            processId,
            CommandLines.Read(processId, reported),
            process.WorkingDirectory,
            version,
            port.Length > 0 ? null : WhyNoPort(processId, process, untrusted)
        )
        {
            Started = process.Started,
            TellsInlining = OperatingSystem.IsLinux()
                ? RuntimeVariables.TellsInlining(name => process.Environment.GetValueOrDefault(name))
                : null,
        };
    }

    /// <summary>Whether the process has ended.</summary>
    public bool HasEnded() => OperatingSystem.IsLinux() ? ProcFileSystem.StartTime(ProcessId) != Started : OtherProcess.HasEnded(ProcessId);

    private static ProcFileSystem.Process ReadPortably(int processId) =>
        OtherProcess.HasEnded(processId)
            ? new ProcFileSystem.Process
            {
                Refusal = new Problem(
                    $"process {processId} does not exist",
                    $"process {processId}",
                    "find its id in the list of processes"
                ),
            }
            : new ProcFileSystem.Process { Started = "" };

    private static Problem WhyNoPort(int processId, ProcFileSystem.Process process, string? untrusted)
    {
        if (untrusted is not null)
            return new Problem(
                $"{untrusted}; no runtime events are recorded",
                $"process {processId}",
                "find out who created the file, remove it, and start the process again"
            );
        if (
            MissingRuntime.Explain(
                OperatingSystem.IsLinux() ? $"/proc/{processId}/exe" : "",
                $"process {processId}",
                name => process.Environment.GetValueOrDefault(name)
            ) is
            { } reason
        )
            return reason;
        if (!OperatingSystem.IsLinux())
            return NoPort(processId, DiagnosticPort.Folder);
        if (!process.IsDotNet)
            return new Problem(
                "it is not a .NET process: no runtime events are recorded",
                $"process {processId}",
                "list the .NET processes with 'esp-record ps'"
            );
        if (process.HasOwnIds)
            return new Problem(
                "it runs in a container with its own process ids: no runtime events are recorded",
                $"process {processId}",
                "run esp-record in that container, or in one that shares its process ids: docker run --pid container:NAME"
            );

        var (own, temporary) = (Path.GetTempPath().TrimEnd('/'), process.Environment.GetValueOrDefault("TMPDIR", "/tmp").TrimEnd('/'));
        if (process.HasOwnFiles)
            temporary = $"/proc/{processId}/root{temporary}";
        return temporary != own
            ? new Problem(
                $"its diagnostic port lies in {temporary}: no runtime events are recorded",
                $"process {processId}",
                $"run TMPDIR={temporary} esp-record attach {processId}{(process.HasOwnFiles ? " as the same user, or share the folder with a volume" : "")}"
            )
            : new Problem(
                $"it has no diagnostic port in {Path.GetTempPath()}: no runtime events are recorded",
                $"process {processId}",
                $"restart it with .NET 5 or later and without DOTNET_EnableDiagnostics=0{(process.HasOwnFiles ? "; if it has a port, run esp-record as its user" : "")}"
            );
    }

    /// <summary>The reason where nothing but the missing port is known of a process.</summary>
    internal static Problem NoPort(int processId, string folder) =>
        new(
            $"it has no diagnostic port in {folder}: no runtime events are recorded",
            $"process {processId}",
            "attach to a program on .NET 5 or later that runs as you and without DOTNET_EnableDiagnostics=0; 'esp-record ps' lists them"
        );

    private static async Task<(string CommandLine, string Version)> AskAsync(string port, TimeSpan limit)
    {
        using var end = new CancellationTokenSource(limit);
        try
        {
            await using var connection = await ConnectAsync(port, end.Token).ConfigureAwait(false);
            return DiagnosticIpc.ReadProcessInfo2(
                await DiagnosticIpc.ExchangeAsync(connection, DiagnosticIpc.ProcessInfo2, end.Token).ConfigureAwait(false)
            );
        }
        catch (Exception exception)
            when (exception is IOException or SocketException or OperationCanceledException or UnauthorizedAccessException)
        {
            return ("", ""); // its sessions will report the problem
        }
    }

    private static async Task<Stream> ConnectAsync(string port, CancellationToken cancellation)
    {
        if (OperatingSystem.IsWindows())
        {
            var pipe = new NamedPipeClientStream(".", port, PipeDirection.InOut, PipeOptions.Asynchronous);
            await pipe.ConnectAsync(cancellation).ConfigureAwait(false);
            return pipe;
        }

        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            await socket.ConnectAsync(new UnixDomainSocketEndPoint(port), cancellation).ConfigureAwait(false);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
