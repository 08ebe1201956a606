using System.Diagnostics;

[assembly: AssemblyFixture(typeof(EtwSerializerProfiler.Recorder.Tests.PackedSolution))]

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>The packages of the solution as it was built, packed by one build when the first test needs them.</summary>
public sealed class PackedSolution : IDisposable
{
    private static readonly string[] s_projects =
    [
        "Recorder",
        "Analyzer",
        "Recorder/Workload/Marks",
        "Recorder/Workload/Contract",
        "Analyzer/Traces/Etl",
        "Recorder/BenchmarkDotNet",
    ];

    private readonly string _root = Directory.CreateTempSubdirectory("esp-packed-").FullName;
    private readonly Lazy<Task<string>> _feed;

    /// <summary>Does not pack yet.</summary>
    public PackedSolution() => _feed = new Lazy<Task<string>>(PackAsync);

    /// <summary>The folder of the packages.</summary>
    public Task<string> FeedAsync() => _feed.Value;

    /// <inheritdoc />
    public void Dispose() => Directory.Delete(_root, recursive: true);

    /// <summary>Runs the dotnet command, or a tool that was installed, as a user does.</summary>
    /// <param name="packages">
    /// Folder for unpacked packages, because a test must not install into the user's folder; null for the user's.
    /// </param>
    /// <param name="program">The program.</param>
    /// <param name="folder">Its working directory.</param>
    /// <param name="arguments">Its arguments.</param>
    internal static async Task<ToolResult> RunAsync(string? packages, string program, string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        start.Environment["DOTNET_ROOT"] = Tool.DotNetRoot;
        if (packages is not null)
            start.Environment["NUGET_PACKAGES"] = packages;
        foreach (
            var variable in (string[])
                ["MSBUILDNOINPROCNODE", "MSBuildSDKsPath", "DOTNET_CLI_TELEMETRY_SESSIONID", "TESTINGPLATFORM_UI_LANGUAGE"]
        )
            start.Environment.Remove(variable);
        using var process = Process.Start(start)!;
        return await Tool.FinishAsync(process);
    }

    /// <summary>'dotnet pack --no-build' for all projects at once, without precompiling the tools.</summary>
    private async Task<string> PackAsync()
    {
        var feed = Path.Combine(_root, "feed");
        var project = Path.Combine(_root, "Pack.proj");
        await File.WriteAllTextAsync(
            project,
            $"""
            <Project>
              <Target Name="PackAll">
                <MSBuild Projects="{string.Join(
                ';',
                s_projects.Select(folder => Directory.GetFiles(Path.Combine(Tool.Sources, folder), "*.csproj").Single())
            )}" Targets="Pack" BuildInParallel="true"
                         Properties="_IsPacking=true;NoBuild=true;PrecompiledTools=none;Configuration={Tool.Configuration};PackageOutputPath={feed}" />
              </Target>
            </Project>
            """
        );
        var packed = await RunAsync(packages: null, Tool.Host, _root, "msbuild", project, "-nologo", "-m", "-nodeReuse:false");
        Assert.True(packed.ExitCode == 0, packed.Output + packed.Error);
        return feed;
    }
}
