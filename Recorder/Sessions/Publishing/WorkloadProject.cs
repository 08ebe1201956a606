using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>The suite's project in the source tree that esp-record was built from, and the folder of its published builds.</summary>
/// <param name="File">Path of Workload.csproj.</param>
/// <param name="CacheFolder">Folder of the published builds, one folder per build; empty when this user has none.</param>
/// <param name="Properties">
/// MSBuild properties of esp-record's own build that the suite also needs, as <c>Name=Value</c>: for example feeds.
/// </param>
public sealed record WorkloadProject(string File, string CacheFolder, IReadOnlyList<string> Properties)
{
    /// <summary>Whether it can be published.</summary>
    /// <param name="machine">This machine.</param>
    /// <param name="problem">Reason and fix; null when it can.</param>
    public bool CanBePublished(RuntimeMachine machine, out Problem? problem)
    {
        ArgumentNullException.ThrowIfNull(machine);
        problem =
            !System.IO.File.Exists(File)
                ? new Problem(
                    "the source tree of the suite, which is needed to publish it, does not exist any more",
                    $"{File} (missing)",
                    "build esp-record from a clone on this machine"
                )
            : !machine.HasSdk
                ? new Problem(
                    "publishing the suite needs the .NET SDK, which is not installed",
                    $"{machine.DotNet} (no folder sdk beside it)",
                    "install the .NET 10 SDK"
                )
            : CacheFolder.Length == 0
                ? new Problem(
                    "the suite cannot be published: its source tree is not writable, and this user has no home folder",
                    File,
                    "set HOME, or XDG_DATA_HOME, to a folder of your own"
                )
            : null;
        return problem is null;
    }

    /// <summary>
    /// Files that a build depends on: everything in the project's folder, and the files that MSBuild and NuGet read in the folders above.
    /// </summary>
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
            foreach (
                var name in (string[])
                    [
                        "Directory.Build.props",
                        "Directory.Build.targets",
                        "Directory.Packages.props",
                        "global.json",
                        "nuget.config",
                        "NuGet.Config",
                        "NuGet.config",
                    ]
            )
            {
                if (System.IO.File.Exists(Path.Combine(above, name)))
                    yield return Path.Combine(above, name);
            }
        }
    }

    private static bool IsBuildOutput(string relative) =>
        relative.Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj" or "artifacts");
}
