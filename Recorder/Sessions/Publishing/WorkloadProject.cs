using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>The suite's project in the source tree that esp-record was built from, and where what is published of it is kept.</summary>
/// <param name="File">Path of Workload.csproj.</param>
/// <param name="CacheFolder">Folder that holds what is published, one folder a build; empty when this user has none.</param>
/// <param name="Properties">MSBuild properties that esp-record itself was built with and the suite needs too, as <c>Name=Value</c>: feeds, for example.</param>
public sealed record WorkloadProject(string File, string CacheFolder, IReadOnlyList<string> Properties)
{
    /// <summary>Whether it can be published; else why not and what to do.</summary>
    /// <param name="machine">This machine.</param>
    /// <param name="problem">Empty when it can.</param>
    public bool CanBePublished(RuntimeMachine machine, out Problem? problem)
    {
        ArgumentNullException.ThrowIfNull(machine);
        problem = !System.IO.File.Exists(File) ? new Problem("the suite is published from its source tree, which is not where esp-record was built", $"{File} (missing)", "build esp-record from a clone on this machine")
            : !machine.HasSdk ? new Problem("the suite is published by the .NET SDK, which is not installed", $"{machine.DotNet} (no folder sdk beside it)", "install the .NET 10 SDK")
            : CacheFolder.Length == 0 ? new Problem("there is no folder to publish the suite to: its source tree cannot be written, and this user has no home folder", File, "set HOME, or XDG_DATA_HOME, to a folder of your own")
            : null;
        return problem is null;
    }

    /// <summary>Files a build depends on: the project's folder with all below it, and what MSBuild and NuGet read in the folders above.</summary>
    public IEnumerable<string> SourceFiles()
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(File))!;
        foreach (var file in Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories))
        {
            if (!IsBuildOutput(Path.GetRelativePath(folder, file)))
                yield return file;
        }

        for (var above = Path.GetDirectoryName(folder); above is not null; above = Path.GetDirectoryName(above))
        {
            foreach (var name in (string[])["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props", "global.json", "nuget.config", "NuGet.Config", "NuGet.config"])
            {
                if (System.IO.File.Exists(Path.Combine(above, name)))
                    yield return Path.Combine(above, name);
            }
        }
    }

    private static bool IsBuildOutput(string relative) => relative.Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj" or "artifacts");
}
