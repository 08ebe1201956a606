using System.Diagnostics;
using System.IO.Compression;
using System.Text.Json;
using System.Xml.Linq;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Packs the solution as it was built and uses the packages from a folder of their own, in an empty folder, without any other feed.</summary>
public sealed class PackageTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-packages-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Tools_install_from_a_local_feed_and_run_in_an_empty_folder()
    {
        var feed = Path.Combine(_root, "feed");
        foreach (var project in (string[])["Recorder", "Analyzer", "Recorder/Workload/Marks", "Analyzer/Traces/Etl"])
            await DotNetAsync(Tool.Sources, "pack", project, "--no-build", "-c", Tool.Configuration, "-o", feed, "-p:PrecompiledTools=none");
        Assert.Equal(
            ["EtwSerializerProfiler.Etl", "EtwSerializerProfiler.Marks", "esp-analyze", "esp-record"],
            Directory.GetFiles(feed, "*.nupkg").Select(path => Check(path)).Order(StringComparer.Ordinal));
        Assert.Equal(2, Directory.GetFiles(feed, "*.snupkg").Length); // a tool holds its own symbols

        File.WriteAllText(Path.Combine(_root, "nuget.config"), $"<configuration><packageSources><clear /><add key=\"feed\" value=\"{feed}\" /></packageSources></configuration>");
        var tools = Path.Combine(_root, "tools");
        foreach (var tool in (string[])["esp-record", "esp-analyze"])
            await DotNetAsync(_root, "tool", "install", tool, "--tool-path", tools);

        // What a new user does: record, then look closer.
        var empty = Directory.CreateDirectory(Path.Combine(_root, "empty")).FullName;
        var recorded = await RunAsync(Path.Combine(tools, "esp-record"), empty, "-n", "100", "-runs", "2", "-serializer", "#SystemTextJson", "--format", "json");
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var table = JsonDocument.Parse(recorded.Output).RootElement;
        Assert.True(table.GetProperty("runsFound").GetInt32() is > 4 and var found && found == table.GetProperty("runsExpected").GetInt32());

        var folder = Assert.Single(Directory.GetDirectories(Path.Combine(empty, "recordings")));
        var analyzed = await RunAsync(Path.Combine(tools, "esp-analyze"), empty, "runs", folder, "--format", "csv");
        Assert.True(analyzed.ExitCode == 0, analyzed.Error);
        Assert.Contains("SystemTextJson", analyzed.Output, StringComparison.Ordinal);
    }

    /// <summary>A program with benchmarks, its package from the feed, BenchmarkDotNet's own build and process: nothing of this solution is near.</summary>
    [Fact]
    public async Task Diagnoser_adds_its_columns_to_benchmarks_in_an_empty_folder()
    {
        var feed = Path.Combine(_root, "feed");
        await DotNetAsync(Tool.Sources, "pack", "Recorder/BenchmarkDotNet", "--no-build", "-c", Tool.Configuration, "-o", feed);
        Assert.Equal("EtwSerializerProfiler.BenchmarkDotNet", Check(Assert.Single(Directory.GetFiles(feed, "*.nupkg"))));

        var folder = Directory.CreateDirectory(Path.Combine(_root, "benchmarks")).FullName;
        File.WriteAllText(Path.Combine(folder, "nuget.config"), $"""
            <configuration>
              <packageSources><add key="feed" value="{feed}" /></packageSources>
              <fallbackPackageFolders><add key="user" value="{UserPackages}" /></fallbackPackageFolders>
            </configuration>
            """);
        File.WriteAllText(Path.Combine(folder, "Benchmarks.csproj"), """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><Optimize>true</Optimize></PropertyGroup>
              <ItemGroup><PackageReference Include="EtwSerializerProfiler.BenchmarkDotNet" Version="0.1.0" /></ItemGroup>
            </Project>
            """);
        File.WriteAllText(Path.Combine(folder, "Program.cs"), """
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
            """);
        var result = await RunAsync(Tool.Host, folder, "run", "-c", "Release");

        Assert.True(result.ExitCode == 0 && result.Output.Contains("| Method", StringComparison.Ordinal), result.Output + result.Error);
        var summary = result.Output.Split('\n').Single(line => line.StartsWith("| Method", StringComparison.Ordinal)).Split('|', StringSplitOptions.TrimEntries);
        Assert.Equal(["CPU", "Own code", "Reflection", "Activator", "GC CPU", "GC pause", "JIT time"], summary.Intersect(["CPU", "Own code", "Reflection", "Activator", "GC CPU", "GC pause", "JIT time"]));
        var row = result.Output.Split('\n').Single(line => line.StartsWith("| Read", StringComparison.Ordinal)).Split('|', StringSplitOptions.TrimEntries);
        Assert.NotEqual("NA", row[Array.IndexOf(summary, "JIT time")]);
        var recordings = Assert.Single(Directory.GetDirectories(Path.Combine(folder, "BenchmarkDotNet.Artifacts", "serializer-profile")));
        var runs = await Tool.AnalyzeAsync("runs", recordings, "--format", "json");
        Assert.True(runs.ExitCode == 0, runs.Error);
        Assert.Equal(3, JsonDocument.Parse(runs.Output).RootElement.GetProperty("runs").EnumerateArray().Count(run => run.GetProperty("kind").GetString() == "Measured"));
    }

    /// <summary>Where this build's packages were restored to: BenchmarkDotNet and what it needs are there.</summary>
    private static string UserPackages => Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } packages ? packages : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    /// <summary>Precompiling takes minutes: that packing does it, and nothing else, is asked of the build.</summary>
    [Theory]
    [InlineData("Recorder")]
    [InlineData("Analyzer")]
    public async Task Packing_precompiles_the_tools_and_a_build_does_not(string project)
    {
        Assert.Equal(("true", "linux-x64;win-x64;any"), await PropertiesAsync("-p:_IsPacking=true"));
        Assert.Equal(("true", "linux-arm64;any"), await PropertiesAsync("-p:_IsPacking=true", "-p:PrecompiledTools=linux-arm64"));
        Assert.Equal(("", ""), await PropertiesAsync("-p:_IsPacking=true", "-p:PrecompiledTools=none"));
        Assert.Equal(("", ""), await PropertiesAsync());

        async Task<(string Precompiled, string Systems)> PropertiesAsync(params string[] arguments)
        {
            var result = await RunAsync(Tool.Host, Tool.Sources, ["msbuild", project, "-getProperty:PublishReadyToRun,ToolPackageRuntimeIdentifiers", "-p:RuntimeIdentifier=linux-x64", .. arguments]);
            Assert.True(result.ExitCode == 0, result.Error);
            var properties = JsonDocument.Parse(result.Output).RootElement.GetProperty("Properties");
            return (properties.GetProperty("PublishReadyToRun").GetString()!, properties.GetProperty("ToolPackageRuntimeIdentifiers").GetString()!);
        }
    }

    /// <summary>What each package has to say of itself.</summary>
    /// <returns>Its id.</returns>
    private static string Check(string path)
    {
        using var package = ZipFile.OpenRead(path);
        var names = package.Entries.Select(entry => entry.FullName).ToList();
        Assert.Contains("README.md", names);
        Assert.Contains("icon.png", names);
        using var text = package.Entries.Single(entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal)).Open();
        var metadata = XDocument.Load(text).Root!.Elements().Single();
        var id = Value("id")!;
        Assert.Equal("MIT", Value("license"));
        Assert.False(string.IsNullOrWhiteSpace(Value("description")));
        string[] dependencies = id == "EtwSerializerProfiler.BenchmarkDotNet" ? ["BenchmarkDotNet", "CsvHelper", "Microsoft.Diagnostics.NETCore.Client", "Microsoft.Diagnostics.Tracing.TraceEvent", "Perfolizer"] : [];
        Assert.Equal(dependencies, metadata.Descendants().Where(element => element.Name.LocalName == "dependency").Select(element => element.Attribute("id")!.Value).Order(StringComparer.Ordinal));
        if (id == "EtwSerializerProfiler.Marks")
            Assert.Contains("lib/netstandard2.0/EtwSerializerProfiler.Marks.dll", names);
        if (id.StartsWith("esp-", StringComparison.Ordinal))
            Assert.DoesNotContain(names, name => name.EndsWith(".xml", StringComparison.Ordinal) && !name.EndsWith("DotnetToolSettings.xml", StringComparison.Ordinal) && name[0] != '[');
        return id;

        string? Value(string name) => metadata.Elements().SingleOrDefault(element => element.Name.LocalName == name)?.Value;
    }

    private async Task DotNetAsync(string folder, params string[] arguments)
    {
        var result = await RunAsync(Tool.Host, folder, arguments);
        Assert.True(result.ExitCode == 0, $"dotnet {string.Join(' ', arguments)}: {result.Output}{result.Error}");
    }

    /// <summary>With a cache of packages of its own: what is installed here must not stay in the user's.</summary>
    private async Task<ToolResult> RunAsync(string program, string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = folder };
        start.Environment["DOTNET_ROOT"] = Tool.DotNetRoot;
        if (arguments[0] is "tool" or "run")
            start.Environment["NUGET_PACKAGES"] = Path.Combine(_root, "cache");
        foreach (var variable in (string[])["MSBUILDNOINPROCNODE", "MSBuildSDKsPath", "DOTNET_CLI_TELEMETRY_SESSIONID", "TESTINGPLATFORM_UI_LANGUAGE"])
            start.Environment.Remove(variable);
        using var process = Process.Start(start)!;
        return await Tool.FinishAsync(process);
    }
}
