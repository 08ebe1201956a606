using System.Diagnostics;
using System.IO.Compression;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Plugins;

/// <summary>
/// The build of the adapters (Adapters.targets and what it calls) with a suite, adapters, a package and a feed made here. No network.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class AdapterBuildTests : IDisposable
{
    private const string Version = "1.2.3";

    private readonly TempFolder _root = new();

    public void Dispose() => _root.Dispose();

    [Fact]
    public void What_can_be_built_is_added_what_cannot_is_left_out_with_a_reason_and_a_second_build_tries_nothing()
    {
        WriteSuite();
        WritePackage("Esp.Tiny", Version);
        WriteAdapter("Good", "Esp.Tiny", "_ = typeof(OrderBook);");
        WriteAdapter("Broken", "Esp.Tiny", "_ = typeof(NoSuchType);");
        WriteAdapter("Absent", "Esp.Absent", "");
        WriteAdapter("Framework", "Esp.Tiny", "", notFor: "net10.0");

        var first = Build("build");

        Assert.Contains("Absent left out: package not found in your feeds (Esp.Absent 1.2.3)", first, StringComparison.Ordinal);
        Assert.Contains("Broken left out for net10.0: does not compile against Esp.Tiny 1.2.3: CS0246", first, StringComparison.Ordinal);
        var leftOut = Adapters.ReadLeftOut(Output).ToDictionary(adapter => adapter.Name, adapter => adapter.Reason);
        Assert.Equal(["Absent serializer", "Broken serializer", "Framework serializer"], leftOut.Keys.Order(StringComparer.Ordinal));
        Assert.Equal("package not found in your feeds", leftOut["Absent serializer"]);
        Assert.StartsWith("does not compile against Esp.Tiny 1.2.3: CS0246: ", leftOut["Broken serializer"], StringComparison.Ordinal);
        Assert.Equal("Esp.Tiny has no build for net10.0", leftOut["Framework serializer"]);
        Assert.True(
            File.Exists(Path.Combine(Output, "Good", "EtwSerializerProfiler.SamplePlugin.dll")),
            "the package's library lies beside the adapter"
        );
        Assert.False(File.Exists(Path.Combine(Output, "Good", "EtwSerializerProfiler.Contract.dll")), "the contract is the suite's");
        var serializer = Assert.Single(Assert.Single(Adapters.Find(Output)).Serializers(typeof(BookShelf), () => new BookShelfModel()));
        Assert.Equal("Good serializer", serializer.Name);
        Assert.IsAssignableFrom<Contract.Serializer>(serializer.Construct());
        Assert.Equal(Version, LibraryVersions.Of(typeof(OrderBook).Assembly, serializer.PluginPath));

        // The package is in the feed now, but the build remembers that it was missing.
        WritePackage("Esp.Absent", Version);
        var written = File.GetLastWriteTimeUtc(Log);
        var second = AddAdapters();

        Assert.DoesNotContain("left out", second, StringComparison.Ordinal);
        Assert.Equal(written, File.GetLastWriteTimeUtc(Log));
        Assert.Equal(3, Adapters.ReadLeftOut(Output).Count);

        var skipped = AddAdapters("-p:EspSkipAdapters=true");

        Assert.Contains("EspSkipAdapters is set", skipped, StringComparison.Ordinal);
        Assert.Equal(4, Adapters.ReadLeftOut(Output).Count);
        Assert.Equal(["left-out.txt"], Directory.EnumerateFiles(Output, "*", SearchOption.AllDirectories).Select(Path.GetFileName));

        // Checked again, it is found, in the feed's version.
        File.Delete(Path.Combine(_root.Path, "feed", $"esp.absent.{Version}.nupkg"));
        WritePackage("Esp.Absent", "2.0.0");
        var retried = AddAdapters("-p:RetryAdapters=true");

        Assert.Contains("Esp.Absent 2.0.0 is used, because 1.2.3 is not in your feeds", retried, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(Output, "Absent", "EtwSerializerProfiler.Adapters.Absent.dll")));
    }

    [Fact]
    public void A_package_whose_analyzer_no_feed_has_is_restored_without_it()
    {
        WriteSuite();
        WritePackage("Esp.Tiny", Version, dependency: "Esp.Tiny.Analyzer");
        WriteAdapter("Whole", "Esp.Tiny", "");

        Build("build");

        Assert.Equal("Esp.Tiny 1.2.3 needs Esp.Tiny.Analyzer, not found in your feeds", Assert.Single(Adapters.ReadLeftOut(Output)).Reason);

        var list = Path.Combine(_root.Path, "Adapters", "Adapters.props");
        File.WriteAllText(
            list,
            File.ReadAllText(list).Replace("Package=", "Without=\"Esp.Tiny.Analyzer\" Package=", StringComparison.Ordinal)
        );
        AddAdapters("-p:RetryAdapters=true");

        Assert.Empty(Adapters.ReadLeftOut(Output));
        Assert.True(
            File.Exists(Path.Combine(Output, "Whole", "EtwSerializerProfiler.SamplePlugin.dll")),
            "the package's library lies beside the adapter"
        );

        // With such a feed no other adapter is built.
        WritePackage("Esp.Tiny.Analyzer", Version);
        AddAdapters("-p:RetryAdapters=true");

        Assert.Empty(Adapters.ReadLeftOut(Output));
        Assert.DoesNotContain(
            "Esp.Tiny.Analyzer/",
            File.ReadAllText(Path.Combine(Output, "Whole", "EtwSerializerProfiler.Adapters.Whole.deps.json")),
            StringComparison.Ordinal
        );
    }

    private string Output => Path.Combine(_root.Path, "artifacts", "bin", "Suite", "debug", "adapters");

    private string Log => Path.Combine(_root.Path, "artifacts", "obj", "Adapters", "packages.log");

    /// <summary>The real build files, around a suite of one line.</summary>
    private void WriteSuite()
    {
        var source = Path.Combine(TestFiles.Root, "Recorder", "Workload", "Adapters");
        foreach (
            var file in Directory
                .EnumerateFiles(source)
                .Where(file => Path.GetFileName(file) != "Adapters.props")
                .Append(Path.Combine(source, "Packages", "Packages.csproj"))
        )
            Write(Path.Combine("Adapters", Path.GetRelativePath(source, file)), File.ReadAllText(file));
        Write("Directory.Build.props", File.ReadAllText(Path.Combine(TestFiles.Root, "Directory.Build.props")));
        Write("Directory.Build.targets", "<Project />");
        Write(
            "Directory.Packages.props",
            $"""
            <Project>
              <PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>
              <ItemGroup><PackageVersion Include="Esp.Tiny" Version="{Version}" /><PackageVersion Include="Esp.Absent" Version="{Version}" /></ItemGroup>
            </Project>
            """
        );
        Write("Adapters/Adapters.props", "<Project><ItemGroup></ItemGroup></Project>");
        Write(
            "nuget.config",
            """
            <configuration>
              <config><add key="globalPackagesFolder" value="packages" /></config>
              <packageSources><clear /><add key="only" value="feed" /></packageSources>
            </configuration>
            """
        );
        Directory.CreateDirectory(Path.Combine(_root.Path, "feed"));
        Write(
            "Suite/Suite.csproj",
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><GenerateDocumentationFile>false</GenerateDocumentationFile><RunAnalyzers>false</RunAnalyzers></PropertyGroup>
              <ItemGroup>
                <Reference Include="{AppContext.BaseDirectory}EtwSerializerProfiler.Contract.dll" />
                <Reference Include="{AppContext.BaseDirectory}EtwSerializerProfiler.Data.dll" />
              </ItemGroup>
              <Import Project="../Adapters/Adapters.targets" />
            </Project>
            """
        );
        Write("Suite/Suite.cs", "namespace Tiny;\n\npublic class Suite;\n");
    }

    private void WriteAdapter(string name, string package, string code, string notFor = "")
    {
        Write(
            $"Adapters/{name}/{name}.csproj",
            $"""<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="{package}" /></ItemGroup></Project>"""
        );
        Write(
            $"Adapters/{name}/{name}.cs",
            $$"""
            using EtwSerializerProfiler.Contract;

            namespace EtwSerializerProfiler.Adapters.{{name}};

            [SuiteSerializer("{{name}} serializer", DataFormat.Binary)]
            public sealed class {{name}}Serializer<TGraph> : TypedSerializer<TGraph>
                where TGraph : class
            {
                public {{name}}Serializer() { {{code}} }

                protected override void Serialize(Stream stream, TGraph graph) { }

                protected override TGraph? Read(Stream stream) => null;
            }
            """
        );
        var list = Path.Combine(_root.Path, "Adapters", "Adapters.props");
        File.WriteAllText(
            list,
            File.ReadAllText(list)
                .Replace(
                    "</ItemGroup>",
                    $"""<Adapter Include="{name}" Package="{package}" Serializers="{name} serializer" NotFor="{notFor}" /></ItemGroup>""",
                    StringComparison.Ordinal
                )
        );
    }

    /// <summary>A package of one library: that of the sample plugin.</summary>
    /// <param name="id">Its name.</param>
    /// <param name="version">Its version.</param>
    /// <param name="dependency">A package that it depends on, empty for none.</param>
    private void WritePackage(string id, string version, string dependency = "")
    {
        var dependencies =
            dependency.Length == 0
                ? ""
                : $"""<dependencies><group targetFramework="net10.0"><dependency id="{dependency}" version="{version}" /></group></dependencies>""";
        using var package = ZipFile.Open(
            Path.Combine(_root.Path, "feed", $"{id.ToLowerInvariant()}.{version}.nupkg"),
            ZipArchiveMode.Create
        );
        using (var nuspec = new StreamWriter(package.CreateEntry($"{id}.nuspec").Open()))
        {
            nuspec.Write(
                $"""
                <package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
                  <metadata><id>{id}</id><version>{version}</version><authors>tests</authors><description>Made by a test.</description>{dependencies}</metadata>
                </package>
                """
            );
        }

        package.CreateEntryFromFile(typeof(OrderBook).Assembly.Location, "lib/net10.0/EtwSerializerProfiler.SamplePlugin.dll");
    }

    private void Write(string name, string text)
    {
        var path = Path.Combine(_root.Path, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }

    /// <summary>The steps of a build when the suite itself is up to date.</summary>
    private string AddAdapters(params string[] properties) => Build(["msbuild", "-t:AddAdapters", .. properties]);

    private string Build(params string[] arguments)
    {
        // No feed hangs here, so no limit decides: under load the restore took over 60 s.
        var limit = (int)Wait.Limit.TotalSeconds;
        string[] limits = [$"-p:PackagesSecondsAtMost={limit}", $"-p:AdaptersSecondsAtMost={limit}"];
        string[] options = ["-nologo", "-nodeReuse:false", "-maxCpuCount:1", "-tl:off", .. limits];
        var start = new ProcessStartInfo("dotnet", [.. arguments, Path.Combine(_root.Path, "Suite", "Suite.csproj"), .. options])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = _root.Path,
        };
        foreach (
            var variable in (string[])
                ["NUGET_PACKAGES", "RestoreSources", "RestoreAdditionalProjectSources", "EspSkipAdapters", "RetryAdapters"]
        )
            start.Environment.Remove(variable);
        start.Environment["DOTNET_CLI_UI_LANGUAGE"] = "en";
        using var process = Process.Start(start)!;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEndAsync();
        Wait.ForExitAsync(process).GetAwaiter().GetResult();
        Assert.True(process.ExitCode == 0, output.Result + error.Result);
        Assert.DoesNotContain("warning", output.Result, StringComparison.Ordinal);
        return output.Result;
    }
}
