using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Finds what keeps a command of the user's own from starting, before anything is started: the dotnet host would only say so while sessions wait for it.</summary>
internal static class CommandCheck
{
    private const string OutputFolder = "bin";

    /// <summary>The problem of a command whose assembly is missing; null when there is none.</summary>
    /// <param name="command">Program and arguments.</param>
    /// <param name="workingDirectory">Where it runs.</param>
    public static Problem? MissingAssembly(IReadOnlyList<string> command, string workingDirectory)
    {
        if (Assembly(command) is not { } assembly)
            return null;
        var path = Path.Combine(workingDirectory, assembly);
        if (File.Exists(path))
            return null;
        return new Problem($"there is no assembly '{assembly}'", workingDirectory, Near(path, workingDirectory) is { } near ? $"write {near}, if that is meant" : "give the path of a program, or build it first");
    }

    /// <summary>The assembly that <c>dotnet</c> is to run; null for other commands. Options of the host stand before it, each with a value.</summary>
    private static string? Assembly(IReadOnlyList<string> command)
    {
        if (!Path.GetFileNameWithoutExtension(command[0]).Equals("dotnet", StringComparison.OrdinalIgnoreCase))
            return null;
        var at = command.Count > 1 && command[1] == "exec" ? 2 : 1;
        while (at < command.Count && command[at].StartsWith('-'))
            at += 2;
        return at < command.Count && Path.GetExtension(command[at]).ToUpperInvariant() is ".DLL" or ".EXE" ? command[at] : null;
    }

    /// <summary>An assembly beside the missing one or below the folder for build output whose name differs least; relative to the working directory where it lies below.</summary>
    private static string? Near(string path, string workingDirectory)
    {
        try
        {
            var folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
            List<string> files = [.. Files(folder, SearchOption.TopDirectoryOnly), .. Files(Path.Combine(workingDirectory, OutputFolder), SearchOption.AllDirectories)];
            var name = NearestName.Of(Path.GetFileName(path), files.Select(file => Path.GetFileName(file)).Distinct());
            return name is null ? null : Path.GetRelativePath(workingDirectory, files.First(file => Path.GetFileName(file) == name));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }

        static IEnumerable<string> Files(string folder, SearchOption depth) => Directory.Exists(folder) ? Directory.EnumerateFiles(folder, "*.dll", depth) : [];
    }
}
