using System.Diagnostics;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>Command line of a worker process.</summary>
/// <param name="File">The program.</param>
/// <param name="Arguments">Its arguments.</param>
public sealed record WorkerProgram(string File, IReadOnlyList<string> Arguments)
{
    /// <summary>Name of the hidden command.</summary>
    public const string Command = "extract-worker";

    /// <summary>Suppresses progress for people on the error stream.</summary>
    private const string Quiet = "--quiet";

    private const string Tool = "esp-analyze";

    /// <summary>The esp-analyze that contains this code, or is beside it.</summary>
    public static WorkerProgram Find()
    {
        var library = Path.Combine(AppContext.BaseDirectory, Tool + ".dll");
        if (!System.IO.File.Exists(library))
            return new WorkerProgram(Environment.ProcessPath ?? Tool, [Command, Quiet]); // a single file
        var host = Path.Combine(DotnetRoot, OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet");
        return System.IO.File.Exists(host)
            ? new WorkerProgram(host, ["exec", library, Command, Quiet])
            : new WorkerProgram(
                Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? Tool + ".exe" : Tool),
                [Command, Quiet]
            );
    }

    private static string DotnetRoot => Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));

    /// <summary>Starts a worker with redirected streams.</summary>
    internal Process Start()
    {
        var start = new ProcessStartInfo(File, Arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardInputEncoding = new System.Text.UTF8Encoding(false),
            StandardOutputEncoding = System.Text.Encoding.UTF8,
            StandardErrorEncoding = System.Text.Encoding.UTF8,
        };
        start.Environment.TryAdd("DOTNET_ROOT", DotnetRoot);

        // With this setting, a recording of 91 MB needs 230 MB of memory instead of 287, in the same time; a smaller generation 0 changed
        // nothing.
        start.Environment.TryAdd("DOTNET_GCConserveMemory", "7");
        return Process.Start(start)!;
    }
}
