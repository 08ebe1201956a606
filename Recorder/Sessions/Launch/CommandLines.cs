using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>Reads command lines of processes, and distinguishes SDK tools from the program to record.</summary>
public static class CommandLines
{
    /// <summary>
    /// Program and arguments of a process. On Linux from /proc, because a suspended runtime reports only its host's path. Elsewhere
    /// <paramref name="reported"/>, split at blanks outside double quotes.
    /// </summary>
    /// <param name="processId">The process.</param>
    /// <param name="reported">The command line that its runtime reported on the diagnostic port.</param>
    public static IReadOnlyList<string> Read(int processId, string reported)
    {
        try
        {
            if (OperatingSystem.IsLinux())
                return File.ReadAllText($"/proc/{processId}/cmdline").TrimEnd('\0').Split('\0');
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The process has ended.
        }

        return CommandLineText.Split(reported);
    }

    /// <summary>
    /// True for the dotnet command itself (<c>dotnet run</c>, <c>dotnet test</c>) and for tools in the SDK's folder (MSBuild, the compiler
    /// server). They come first in the process tree of <c>esp-record -- dotnet run</c> and are not to be measured.
    /// </summary>
    public static bool IsSdkTool(IReadOnlyList<string> command)
    {
        ArgumentNullException.ThrowIfNull(command);
        if (command.Count == 0)
            return false;
        if (IsInSdkFolder(command[0]))
            return true;

        // Accepts either separator on every system, because a recording may be read on another machine.
        var program = command[0][(command[0].LastIndexOfAny(['/', '\\']) + 1)..];
        if (command.Count == 1 || program.ToLowerInvariant() is not ("dotnet" or "dotnet.exe"))
            return false;
        return IsInSdkFolder(command[1]) || !RunsAssembly(command[1]);
    }

    /// <summary>
    /// True when a command line names a tool by its path in the SDK's folder (<c>dotnet
    /// /usr/share/dotnet/sdk/10.0.100/Roslyn/bincore/csc.dll</c>): then the user wants that tool recorded.
    /// </summary>
    public static bool NamesSdkTool(IReadOnlyList<string> command) => command.Take(2).Any(IsInSdkFolder);

    private static bool IsInSdkFolder(string path) => path.Replace('\\', '/').Contains("/sdk/", StringComparison.OrdinalIgnoreCase);

    private static bool RunsAssembly(string argument) =>
        argument.Equals("exec", StringComparison.OrdinalIgnoreCase)
        || argument.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
        || argument.EndsWith(".exe", StringComparison.OrdinalIgnoreCase)
        || argument.StartsWith('-'); // host options such as --roll-forward precede an assembly
}
