using System.IO.Compression;
using System.Text.Json;
using System.Xml.Linq;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Uses the packages in an empty folder, with their folder as the only feed.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class PackageTests(PackedSolution packed) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-packages-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Tools_install_from_a_local_feed_and_run_in_an_empty_folder()
    {
        var feed = await packed.FeedAsync();
        Assert.Equal(
            [
                "EtwSerializerProfiler.BenchmarkDotNet",
                "EtwSerializerProfiler.Contract",
                "EtwSerializerProfiler.Etl",
                "EtwSerializerProfiler.Marks",
                "esp-analyze",
                "esp-record",
            ],
            Directory.GetFiles(feed, "*.nupkg").Select(Check).Order(StringComparer.Ordinal)
        );
        Assert.Equal(4, Directory.GetFiles(feed, "*.snupkg").Length); // a tool package contains its symbols

        File.WriteAllText(
            Path.Combine(_root, "nuget.config"),
            $"<configuration><packageSources><clear /><add key=\"feed\" value=\"{feed}\" /></packageSources></configuration>"
        );
        var tools = Path.Combine(_root, "tools");
        foreach (var tool in (string[])["esp-record", "esp-analyze"])
        {
            var installed = await PackedSolution.RunAsync(
                Path.Combine(_root, "cache"),
                Tool.Host,
                _root,
                "tool",
                "install",
                tool,
                "--tool-path",
                tools
            );
            Assert.True(installed.ExitCode == 0, installed.Output + installed.Error);
        }

        // What a new user does: record, then look closer.
        var empty = Directory.CreateDirectory(Path.Combine(_root, "empty")).FullName;
        var recorded = await PackedSolution.RunAsync(
            packages: null,
            Path.Combine(tools, "esp-record"),
            empty,
            "-n",
            "100",
            "-runs",
            "2",
            "-serializer",
            "#SystemTextJson",
            "--format",
            "json"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var table = JsonDocument.Parse(recorded.Output).RootElement;
        Assert.True(
            table.GetProperty("runsFound").GetInt32() is > 4 and var found && found == table.GetProperty("runsExpected").GetInt32()
        );

        var folder = Assert.Single(Directory.GetDirectories(Path.Combine(empty, "recordings")));
        var analyzed = await PackedSolution.RunAsync(
            packages: null,
            Path.Combine(tools, "esp-analyze"),
            empty,
            "runs",
            folder,
            "--format",
            "csv"
        );
        Assert.True(analyzed.ExitCode == 0, analyzed.Error);
        Assert.Contains("SystemTextJson", analyzed.Output, StringComparison.Ordinal);
    }

    /// <summary>
    /// A feed need not have the packs of older frameworks for the system that is published for. esp-record --runtime net8.0 names the
    /// framework.
    /// </summary>
    [Theory]
    [InlineData("", "net10.0;net8.0;net472")]
    [InlineData("-p:RuntimeIdentifier=linux-arm64", "net10.0")]
    [InlineData("-p:RuntimeIdentifiers=linux-arm64", "net10.0")] // dotnet restore -r
    [InlineData("-p:RuntimeIdentifier=linux-arm64 -p:TargetFrameworks=net8.0", "net8.0")]
    public async Task Publishing_for_a_system_restores_the_suite_for_the_tools_framework_alone(string properties, string frameworks)
    {
        var project = Path.Combine(Tool.Sources, "Recorder", "Workload", "Workload.csproj");
        var result = await PackedSolution.RunAsync(
            packages: null,
            Tool.Host,
            _root,
            ["msbuild", project, "-getProperty:TargetFrameworks", .. properties.Split(' ', StringSplitOptions.RemoveEmptyEntries)]
        );

        Assert.Equal((0, frameworks), (result.ExitCode, result.Output.Trim()));
    }

    /// <summary>
    /// Precompiling takes minutes, so the build's properties are queried to check that packing, and only packing, does it.
    /// </summary>
    [Theory]
    [InlineData("Recorder")]
    [InlineData("Analyzer")]
    public async Task Packing_precompiles_the_tools_and_a_build_does_not(string project)
    {
        const string Systems = "linux-x64;linux-arm64;win-x64;osx-arm64;any";
        (string Properties, string Precompiled)[] cases =
        [
            ("_IsPacking=true", $"true for {Systems}, hot after 10 ms"),
            ("_IsPacking=true;PublishReadyToRun=false", $"false for {Systems}, hot after  ms"),
            ("_IsPacking=true;PrecompiledTools=linux-arm64", "true for linux-arm64;any, hot after 10 ms"),
            ("_IsPacking=true;PrecompiledTools=none", " for , hot after  ms"),
            ("", " for , hot after  ms"),
        ];
        var says = Path.Combine(_root, "says.targets");
        File.WriteAllText(
            says,
            """<Project><Target Name="Say"><Message Importance="high" Text="precompiled: $(PublishReadyToRun) for $(ToolPackageRuntimeIdentifiers), hot after @(RuntimeHostConfigurationOption->WithMetadataValue('Identity', 'System.Runtime.TieredCompilation.CallCountingDelayMs')->'%(Value)') ms" /></Target></Project>"""
        );
        var asked = cases.Select(item => $"RuntimeIdentifier=linux-x64;{item.Properties}");
        Assert.Equal(cases.Select(item => "precompiled: " + item.Precompiled), await AskAsync(project, says, asked));
    }

    /// <summary>Publishing restores for each system, so the files of a publication are made up.</summary>
    [Fact]
    public async Task A_package_has_the_Windows_libraries_of_its_own_system()
    {
        (string System, string Files)[] cases =
        [
            ("linux-x64", "a.dll"),
            ("osx-arm64", "a.dll"),
            ("win-x64", "a.dll amd64/x.dll"),
            ("win-arm64", "a.dll arm64/x.dll"),
            ("any", "a.dll amd64/x.dll arm64/x.dll x86/x.dll"),
        ];
        var says = Path.Combine(_root, "says.targets");
        File.WriteAllText(
            says,
            """
            <Project>
              <Target Name="Fill" BeforeTargets="LeaveOutOtherWindowsLibraries">
                <ItemGroup>
                  <Library Include="a.dll;amd64/x.dll;arm64/x.dll;x86/x.dll" />
                  <ResolvedFileToPublish Remove="@(ResolvedFileToPublish)" />
                  <ResolvedFileToPublish Include="@(Library)" RelativePath="%(Identity)" />
                </ItemGroup>
              </Target>
              <Target Name="Say" DependsOnTargets="Fill;LeaveOutOtherWindowsLibraries">
                <Message Importance="high" Text="files: @(ResolvedFileToPublish->'%(RelativePath)', ' ')" />
              </Target>
            </Project>
            """
        );

        var asked = cases.Select(item => $"RuntimeIdentifier={item.System}");
        Assert.Equal(cases.Select(item => "files: " + item.Files), await AskAsync("Recorder", says, asked));
    }

    /// <summary>Runs the target Say of a project with several sets of properties, and returns the lines that it prints.</summary>
    private async Task<IEnumerable<string>> AskAsync(string project, string targets, IEnumerable<string> properties)
    {
        var asks = Path.Combine(_root, "asks.proj");
        var file = Directory.GetFiles(Path.Combine(Tool.Sources, project), "*.csproj").Single();
        File.WriteAllText(
            asks,
            $"""<Project><Target Name="Ask">{string.Concat(properties.Select(item => $"""<MSBuild Projects="{file}" Targets="Say" Properties="CustomAfterMicrosoftCommonTargets={targets};{item}" />"""))}</Target></Project>"""
        );
        var result = await PackedSolution.RunAsync(
            packages: null,
            Tool.Host,
            _root,
            "msbuild",
            asks,
            "-nologo",
            "-tl:off",
            "-nodeReuse:false",
            "-maxCpuCount:1"
        );
        Assert.True(result.ExitCode == 0, result.Output + result.Error);
        return result
            .Output.Split('\n')
            .Select(line => line.TrimEnd('\r').TrimStart())
            .Where(line =>
                line.StartsWith("precompiled: ", StringComparison.Ordinal) || line.StartsWith("files: ", StringComparison.Ordinal)
            );
    }

    /// <summary>Required metadata of each package.</summary>
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
        string[] dependencies =
            id == "EtwSerializerProfiler.BenchmarkDotNet"
                ?
                [
                    "BenchmarkDotNet",
                    "CsvHelper",
                    "Microsoft.Diagnostics.NETCore.Client",
                    "Microsoft.Diagnostics.Tracing.TraceEvent",
                    "Perfolizer",
                ]
                : [];
        Assert.Equal(
            dependencies,
            metadata
                .Descendants()
                .Where(element => element.Name.LocalName == "dependency")
                .Select(element => element.Attribute("id")!.Value)
                .Order(StringComparer.Ordinal)
        );
        if (id == "EtwSerializerProfiler.Marks")
            Assert.Contains("lib/netstandard2.0/EtwSerializerProfiler.Marks.dll", names);
        if (id.StartsWith("esp-", StringComparison.Ordinal))
            Assert.DoesNotContain(
                names,
                name =>
                    name.EndsWith(".xml", StringComparison.Ordinal)
                    && !name.EndsWith("DotnetToolSettings.xml", StringComparison.Ordinal)
                    && name[0] != '['
            );
        return id;

        string? Value(string name) => metadata.Elements().SingleOrDefault(element => element.Name.LocalName == name)?.Value;
    }
}
