using System.Reflection;
using System.Reflection.Emit;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Serializers;

public sealed class LibraryVersionTests
{
    /// <summary>As the SDK writes it: the library below its package, others before and after it.</summary>
    private const string Dependencies = """
        {
          "targets": {
            ".NETCoreApp,Version=v10.0": {
              "EtwSerializerProfiler.Adapters.Tiny/0.1.0": {
                "dependencies": {
                  "Esp.Tiny": "25.2.10"
                },
                "runtime": {
                  "EtwSerializerProfiler.Adapters.Tiny.dll": {}
                }
              },
              "Esp.Other/3.0.0": {
                "runtime": {
                  "lib/Esp.Other.dll": {
                    "assemblyVersion": "3.0.0.0"
                  }
                }
              },
              "Esp.Tiny/25.2.10-rc.1": {
                "runtime": {
                  "lib/Esp.Another.dll": {},
                  "lib/net8.0/Esp.Tiny.dll": {
                    "assemblyVersion": "1.0.0.0",
                    "fileVersion": "1.0.0.0"
                  }
                }
              }
            }
          }
        }
        """;

    [Theory]
    [InlineData("Esp.Tiny", "25.2.10-rc.1")]
    [InlineData("Esp.Other", "3.0.0")]
    [InlineData("EtwSerializerProfiler.Adapters.Tiny", "1.0.0")] // the plugin's own
    [InlineData("Esp.Unknown", "1.0.0")]
    public void The_version_is_that_of_the_package(string library, string version)
    {
        using var folder = new TempFolder();
        folder.Write("Tiny.deps.json", Dependencies);

        Assert.Equal(version, LibraryVersions.Of(Library(library, informational: "1.0.0+abc"), Path.Combine(folder.Path, "Tiny.dll")));
    }

    [Theory]
    [InlineData("")]
    [InlineData("{ \"Esp.Tiny")]
    [InlineData("\": {\n\"/\": {\n\"Esp.Tiny.dll\": {\n\"lib/Esp.Tiny.dll\": {\n")]
    public void Damaged_dependencies_are_none(string dependencies)
    {
        using var folder = new TempFolder();
        folder.Write("Tiny.deps.json", dependencies);

        Assert.Equal("1.0.0", LibraryVersions.Of(Library("Esp.Tiny", informational: "1.0.0"), Path.Combine(folder.Path, "Tiny.dll")));
    }

    [Theory]
    [InlineData("2.4.0-beta+abc", "2.4.0.4", "2.4.0-beta")]
    [InlineData(null, "2.4.0.4", "2.4.0.4")]
    [InlineData(null, null, "2.4.0.0")]
    public void Without_a_package_it_is_the_informational_version_then_that_of_the_file_then_that_of_the_assembly(
        string? informational,
        string? file,
        string version
    ) => Assert.Equal(version, LibraryVersions.Of(Library("Esp.Tiny", informational, file), pluginPath: ""));

    private static AssemblyBuilder Library(string name, string? informational, string? file = null)
    {
        CustomAttributeBuilder Attribute<TAttribute>(string value) => new(typeof(TAttribute).GetConstructor([typeof(string)])!, [value]);
        var assembly = AssemblyBuilder.DefineDynamicAssembly(
            new AssemblyName(name) { Version = new Version(2, 4, 0, 0) },
            AssemblyBuilderAccess.RunAndCollect
        );
        if (informational is not null)
            assembly.SetCustomAttribute(Attribute<AssemblyInformationalVersionAttribute>(informational));
        if (file is not null)
            assembly.SetCustomAttribute(Attribute<AssemblyFileVersionAttribute>(file));
        return assembly;
    }
}
