using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>
/// Finds out before anything starts why a command cannot start. Otherwise the dotnet host would report it while the sessions wait for it.
/// </summary>
internal static class CommandCheck
{
    private const string OutputFolder = "bin";

    /// <summary>Returns the problem of a command whose assembly is missing; null when there is none.</summary>
    /// <param name="command">Program and arguments.</param>
    /// <param name="workingDirectory">Where it runs.</param>
    public static Problem? MissingAssembly(IReadOnlyList<string> command, string workingDirectory)
    {
        if (Assembly(command) is not { } assembly)
            return null;
        var path = Path.Combine(workingDirectory, assembly);
        if (File.Exists(path))
            return null;
        return new Problem(
            $"the assembly '{assembly}' does not exist",
            workingDirectory,
            Near(path, workingDirectory) is { } near ? $"write {near}, if that is meant" : "give the path of a program, or build it first"
        );
    }

    /// <summary>
    /// The assembly that <c>dotnet</c> will run; null for other commands. The host's options precede it, each with a value.
    /// </summary>
    private static string? Assembly(IReadOnlyList<string> command)
    {
        if (!Path.GetFileNameWithoutExtension(command[0]).Equals("dotnet", StringComparison.OrdinalIgnoreCase))
            return null;
        var at = command.Count > 1 && command[1] == "exec" ? 2 : 1;
        while (at < command.Count && command[at].StartsWith('-'))
            at += 2;
        return at < command.Count && Path.GetExtension(command[at]).ToUpperInvariant() is ".DLL" or ".EXE" ? command[at] : null;
    }

    /// <summary>
    /// The assembly whose name differs least from the missing one, beside it or in the build output folder; relative to the working
    /// directory if it lies below it.
    /// </summary>
    private static string? Near(string path, string workingDirectory)
    {
        try
        {
            var folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
            List<string> files =
            [
                .. Files(folder, SearchOption.TopDirectoryOnly),
                .. Files(Path.Combine(workingDirectory, OutputFolder), SearchOption.AllDirectories),
            ];
            var name = NearestName.Of(Path.GetFileName(path), files.Select(file => Path.GetFileName(file)).Distinct());
            return name is null ? null : Path.GetRelativePath(workingDirectory, files.First(file => Path.GetFileName(file) == name));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }

        static IEnumerable<string> Files(string folder, SearchOption depth) =>
            Directory.Exists(folder) ? Directory.EnumerateFiles(folder, "*.dll", depth) : [];
    }
}
