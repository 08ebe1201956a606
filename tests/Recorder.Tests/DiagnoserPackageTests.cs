using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Uses the diagnoser's package as the author of a benchmark does.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class DiagnoserPackageTests(PackedSolution packed) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-benchmarks-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    /// <summary>
    /// A program with benchmarks outside of this solution takes the package from the feed; BenchmarkDotNet builds the benchmarks and runs
    /// them in its own process.
    /// </summary>
    [Fact]
    public async Task Diagnoser_adds_its_columns_to_benchmarks_in_an_empty_folder()
    {
        var feed = await packed.FeedAsync();
        var folder = Directory.CreateDirectory(Path.Combine(_root, "benchmarks")).FullName;
        File.WriteAllText(
            Path.Combine(folder, "nuget.config"),
            $"""
            <configuration>
              <packageSources><add key="feed" value="{feed}" /></packageSources>
              <fallbackPackageFolders><add key="user" value="{UserPackages}" /></fallbackPackageFolders>
            </configuration>
            """
        );
        File.WriteAllText(
            Path.Combine(folder, "Benchmarks.csproj"),
            """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><Optimize>true</Optimize></PropertyGroup>
              <ItemGroup><PackageReference Include="EtwSerializerProfiler.BenchmarkDotNet" Version="0.1.0" /></ItemGroup>
            </Project>
            """
        );
        File.WriteAllText(
            Path.Combine(folder, "Program.cs"),
            """
            using BenchmarkDotNet.Attributes;
            using BenchmarkDotNet.Configs;
            using BenchmarkDotNet.Engines;
            using BenchmarkDotNet.Running;
            using EtwSerializerProfiler.BenchmarkDotNet;

            // The package under test may be a debug build, which BenchmarkDotNet refuses.
            BenchmarkRunner.Run<Reading>(DefaultConfig.Instance.WithOptions(ConfigOptions.DisableOptimizationsValidator));

            [SerializerProfile(ExtraRun = false)]
            [SimpleJob(RunStrategy.Monitoring, launchCount: 1, warmupCount: 1, iterationCount: 3, invocationCount: 1)]
            public class Reading
            {
                [Benchmark]
                public object Read()
                {
                    object last = null;
                    for (var index = 0; index < 1_000_000; index++)
                        last = System.Activator.CreateInstance(typeof(Reading));
                    return last;
                }
            }
            """
        );
        var result = await PackedSolution.RunAsync(Path.Combine(_root, "cache"), Tool.Host, folder, "run", "-c", "Release");

        Assert.True(result.ExitCode == 0 && result.Output.Contains("| Method", StringComparison.Ordinal), result.Output + result.Error);
        var summary = result
            .Output.Split('\n')
            .Single(line => line.StartsWith("| Method", StringComparison.Ordinal))
            .Split('|', StringSplitOptions.TrimEntries);
        Assert.Equal(
            ["CPU", "Own code", "Reflection", "Activator", "GC CPU", "GC pause", "JIT time"],
            summary.Intersect(["CPU", "Own code", "Reflection", "Activator", "GC CPU", "GC pause", "JIT time"])
        );
        var row = result
            .Output.Split('\n')
            .Single(line => line.StartsWith("| Read", StringComparison.Ordinal))
            .Split('|', StringSplitOptions.TrimEntries);
        Assert.True(row[Array.IndexOf(summary, "JIT time")] != "NA", result.Output);
        var recordings = Assert.Single(Directory.GetDirectories(Path.Combine(folder, "BenchmarkDotNet.Artifacts", "serializer-profile")));
        var runs = await Tool.AnalyzeAsync("runs", recordings, "--format", "json");
        Assert.True(runs.ExitCode == 0, runs.Error);
        Assert.Equal(
            3,
            JsonDocument
                .Parse(runs.Output)
                .RootElement.GetProperty("runs")
                .EnumerateArray()
                .Count(run => run.GetProperty("kind").GetString() == "Measured")
        );
    }

    /// <summary>The folder to which this build's packages were restored; it contains BenchmarkDotNet and its dependencies.</summary>
    private static string UserPackages =>
        Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } packages
            ? packages
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
}
