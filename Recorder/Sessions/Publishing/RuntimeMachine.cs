using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>The tools of this machine for building and running the suite.</summary>
/// <param name="DotNet">Path of the dotnet command.</param>
/// <param name="HasSdk">Whether it has an SDK.</param>
/// <param name="Runtimes">Installed versions of Microsoft.NETCore.App.</param>
/// <param name="Mono">Mono; null when it is not on the path.</param>
/// <param name="RuntimeIdentifier">System and architecture of this machine, for example linux-x64.</param>
/// <param name="IsWindows">Whether .NET Framework runs here.</param>
public sealed record RuntimeMachine(
    string DotNet,
    bool HasSdk,
    IReadOnlyList<string> Runtimes,
    MonoInstallation? Mono,
    string RuntimeIdentifier,
    bool IsWindows
)
{
    /// <summary>Time limit for tools that only print their version, which takes less than a second.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(20);

    /// <summary>
    /// The linker for NativeAOT: clang or gcc; null when neither is on the path. Windows has its own, which the compiler finds.
    /// </summary>
    public string? Linker { get; init; }

    /// <summary>Examines this machine.</summary>
    /// <param name="dotNetRoot">Folder of the .NET installation that runs this process.</param>
    /// <param name="cancellation">Cancels the examination.</param>
    public static async Task<RuntimeMachine> ReadAsync(string dotNetRoot, CancellationToken cancellation)
    {
        var dotNet = FindDotNet(dotNetRoot);
        var runtimes = await RunAsync([dotNet, "--list-runtimes"], cancellation).ConfigureAwait(false);
        return new RuntimeMachine(
            dotNet,
            HasSdkBeside(dotNet),
            InstalledRuntimes.Parse(runtimes),
            await FindMonoAsync(cancellation).ConfigureAwait(false),
            RuntimeInformation.RuntimeIdentifier,
            OperatingSystem.IsWindows()
        )
        {
            Linker = ((string[])["clang", "gcc"]).FirstOrDefault(name => FindOnPath(name) is not null),
        };
    }

    /// <summary>
    /// The dotnet command with an SDK: that of the current runtime, or else one on the path; the first one when none has an SDK.
    /// </summary>
    private static string FindDotNet(string dotNetRoot)
    {
        var name = OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet";
        var own = Path.Combine(dotNetRoot, name);
        return HasSdkBeside(own) ? own
            : FindOnPath(name) is { } other && HasSdkBeside(ResolveLinks(other)) ? ResolveLinks(other)
            : own;
    }

    private static bool HasSdkBeside(string dotNet) =>
        Path.GetDirectoryName(dotNet) is { } folder && Directory.Exists(Path.Combine(folder, "sdk"));

    private static async Task<MonoInstallation?> FindMonoAsync(CancellationToken cancellation)
    {
        if (FindOnPath(OperatingSystem.IsWindows() ? "mono.exe" : "mono") is not { } program)
            return null;
        return MonoInstallation.Parse(
            program,
            await RunAsync([program, "--version"], cancellation).ConfigureAwait(false),
            MonoInstallation.FindFacades(ResolveLinks(program))
        );
    }

    /// <summary>Path of a program in a folder of PATH; null when there is none.</summary>
    private static string? FindOnPath(string name) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .Select(folder => Path.GetFullPath(Path.Combine(folder, name)))
            .FirstOrDefault(File.Exists);

    /// <summary>Resolves links: the /usr/bin/dotnet of a package manager links to the folder with the SDK.</summary>
    private static string ResolveLinks(string file) => File.ResolveLinkTarget(file, returnFinalTarget: true)?.FullName ?? file;

    private static async Task<string> RunAsync(IReadOnlyList<string> command, CancellationToken cancellation) =>
        await CapturedProcess
            .RunAsync(command, Environment.CurrentDirectory, new Dictionary<string, string?>(), s_limit, cancellation)
            .ConfigureAwait(false)
            is { ExitCode: 0, Output: var output }
            ? output
            : "";
}
