using System.Globalization;
using BenchmarkDotNet.Running;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>The recorded benchmarks, with one folder for each benchmark class.</summary>
internal sealed class ProfiledCases
{
    /// <summary>Name of the folder in BenchmarkDotNet's artifacts folder.</summary>
    private const string FolderName = "serializer-profile";

    private readonly List<ProfiledCase> _cases = [];
    private readonly Dictionary<(string Artifacts, Type Type), ProfileFolder> _folders = [];

    /// <summary>Folders with recordings.</summary>
    public IEnumerable<ProfileFolder> Folders => _folders.Values.Where(folder => folder.Recorded > 0);

    /// <summary>
    /// Creates a case for a benchmark. It replaces an earlier case of the same benchmark, whose recording stays on the disk.
    /// </summary>
    public ProfiledCase Add(BenchmarkCase benchmark)
    {
        var key = (benchmark.Config.ArtifactsPath, benchmark.Descriptor.Type);
        if (!_folders.TryGetValue(key, out var folder))
        {
            var name = FolderNames.Of(
                $"{benchmark.Descriptor.Type.Name}-{DateTime.Now.ToString("yyyyMMdd-HHmmss", CultureInfo.InvariantCulture)}"
            );
            _folders[key] = folder = new ProfileFolder(
                FolderNames.Unused(Path.GetFullPath(Path.Combine(benchmark.Config.ArtifactsPath, FolderName)), name)
            );
        }

        _cases.RemoveAll(profiled => profiled.Benchmark.Equals(benchmark));
        var added = new ProfiledCase(benchmark, folder, folder.Claim(Label(benchmark)));
        _cases.Add(added);
        return added;
    }

    /// <summary>The recording of a benchmark; null when there is none.</summary>
    public ProfiledCase? Find(BenchmarkCase benchmark) => _cases.Find(profiled => profiled.Benchmark.Equals(benchmark));

    /// <summary>Method and parameters, and the job if there are several.</summary>
    private static string Label(BenchmarkCase benchmark)
    {
        var label = benchmark.Descriptor.WorkloadMethod.Name;
        if (benchmark.HasParameters)
            label += " " + benchmark.Parameters.PrintInfo;
        return benchmark.Config.GetJobs().Count() > 1 ? $"{label} {benchmark.Job.ResolvedId}" : label;
    }
}
