using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>Command lines of processes: reads them, and separates the .NET SDK's own processes from the program that is to be recorded.</summary>
public static class CommandLines
{
    /// <summary>
    /// Program and arguments of a process. On Linux from /proc: a runtime that is still suspended reports its host's path only. Elsewhere
    /// <paramref name="reported"/>, split at blanks outside double quotes.
    /// </summary>
    /// <param name="processId">The process.</param>
    /// <param name="reported">What its runtime reported on the diagnostic port.</param>
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
    /// True for the dotnet command itself (<c>dotnet run</c>, <c>dotnet test</c>) and tools in the SDK's folder (MSBuild, the compiler server): they
    /// come first in the tree of <c>esp-record -- dotnet run</c> and are not what is to be measured.
    /// </summary>
    public static bool IsSdkTool(IReadOnlyList<string> command)
    {
        ArgumentNullException.ThrowIfNull(command);
        if (command.Count == 0)
            return false;
        if (IsInSdkFolder(command[0]))
            return true;

        // Either separator on either system: a recording may be looked at on another machine than it was made on.
        var program = command[0][(command[0].LastIndexOfAny(['/', '\\']) + 1)..];
        if (command.Count == 1 || program.ToLowerInvariant() is not ("dotnet" or "dotnet.exe"))
            return false;
        return IsInSdkFolder(command[1]) || !RunsAssembly(command[1]);
    }

    /// <summary>True when a command line starts a tool by its path in the SDK's folder (<c>dotnet /usr/share/dotnet/sdk/10.0.100/Roslyn/bincore/csc.dll</c>): who types that wants the tool recorded.</summary>
    public static bool NamesSdkTool(IReadOnlyList<string> command) => command.Take(2).Any(IsInSdkFolder);

    private static bool IsInSdkFolder(string path) => path.Replace('\\', '/').Contains("/sdk/", StringComparison.OrdinalIgnoreCase);

    private static bool RunsAssembly(string argument) =>
        argument.Equals("exec", StringComparison.OrdinalIgnoreCase)
        || argument.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
        || argument.EndsWith(".exe", StringComparison.OrdinalIgnoreCase)
        || argument.StartsWith('-'); // host options such as --roll-forward stand before an assembly
}
