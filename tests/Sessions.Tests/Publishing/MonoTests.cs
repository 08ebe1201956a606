using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Sessions.Tests.Publishing;

public class MonoTests
{
    [Theory]
    [InlineData("System.Runtime.Serialization", "libmono-system-runtime-serialization4.0-cil")]
    [InlineData("System.Xml.Linq", "libmono-system-xml-linq4.0-cil")]
    [InlineData("System", "libmono-system4.0-cil")]
    [InlineData("System.ServiceModel", "libmono-system-servicemodel4.0a-cil")]
    [InlineData("Mono.Posix", "libmono-posix4.0-cil")]
    [InlineData("mscorlib", "libmono-corlib4.5-cil")]
    [InlineData("MessagePack", null)]
    public void Debian_packs_each_assembly_by_a_rule(string assembly, string? package) =>
        Assert.Equal(package, MonoPackages.PackageOf(assembly));

    [Fact]
    public void Missing_assemblies_are_found_in_what_the_suite_prints() =>
        Assert.Equal(
            ["System.Data is missing: apt-get install libmono-system-data4.0-cil", "Other is missing"],
            SuiteProbe.Missing(
                """
                System.IO.FileNotFoundException: Could not load file or assembly 'System.Data, Version=4.0.0.0, Culture=neutral' or one of its dependencies.
                File name: 'System.Data, Version=4.0.0.0'
                System.IO.FileNotFoundException: Could not load file or assembly 'System.Data, Version=4.0.0.0, Culture=neutral' or one of its dependencies.
                X  no: Could not load file or assembly 'Other' or one of its dependencies
                """
            )
        );

    [Theory]
    [InlineData(10)]
    [InlineData(9_000)] // a heap of names beyond 64 KB: its indices have four bytes
    public void Of_a_facade_only_the_reference_to_the_refused_attribute_changes(int names)
    {
        var facade = Facade(names, refused: true);
        var accepted = MonoFacades.Accepted(facade);

        Assert.Equal(facade.Length, accepted.Length);
        Assert.InRange(facade.Zip(accepted).Count(pair => pair.First != pair.Second), 1, 4);
        var before = TypeReferences(facade);
        Assert.Contains("ReferenceAssemblyAttribute", before);
        Assert.Equal(
            before.Select(name => name == "ReferenceAssemblyAttribute" ? "eferenceAssemblyAttribute" : name),
            TypeReferences(accepted)
        );
    }

    [Fact]
    public void Files_other_than_reference_assemblies_stay_as_they_are()
    {
        var facade = Facade(names: 3, refused: false);
        Assert.Same(facade, MonoFacades.Accepted(facade));
    }

    /// <summary>
    /// An assembly that refers to an attribute whose name ends as the refused one's does, so that the two share bytes, and to the refused
    /// one itself.
    /// </summary>
    private static byte[] Facade(int names, bool refused)
    {
        var metadata = new MetadataBuilder();
        metadata.AddModule(0, metadata.GetOrAddString("facade.dll"), metadata.GetOrAddGuid(Guid.Empty), default, default);
        metadata.AddAssembly(
            metadata.GetOrAddString("facade"),
            new Version(1, 0),
            default,
            default,
            AssemblyFlags.PublicKey,
            AssemblyHashAlgorithm.None
        );
        metadata.AddTypeDefinition(
            default,
            default,
            metadata.GetOrAddString("<Module>"),
            default,
            MetadataTokens.FieldDefinitionHandle(1),
            MetadataTokens.MethodDefinitionHandle(1)
        );
        var library = metadata.AddAssemblyReference(
            metadata.GetOrAddString("mscorlib"),
            new Version(4, 0, 0, 0),
            default,
            default,
            default,
            default
        );
        for (var i = 0; i < names; i++)
            metadata.AddTypeReference(library, metadata.GetOrAddString("System"), metadata.GetOrAddString($"Type{i}"));
        metadata.AddTypeReference(
            library,
            metadata.GetOrAddString("System"),
            metadata.GetOrAddString("ContractReferenceAssemblyAttribute")
        );
        if (refused)
            metadata.AddTypeReference(
                library,
                metadata.GetOrAddString("System.Runtime.CompilerServices"),
                metadata.GetOrAddString("ReferenceAssemblyAttribute")
            );
        metadata.AddTypeReference(library, metadata.GetOrAddString("System"), metadata.GetOrAddString("Last"));
        var bytes = new BlobBuilder();
        new ManagedPEBuilder(PEHeaderBuilder.CreateLibraryHeader(), new MetadataRootBuilder(metadata), new BlobBuilder()).Serialize(bytes);
        return bytes.ToArray();
    }

    private static List<string> TypeReferences(byte[] assembly)
    {
        using var file = new PEReader([.. assembly]);
        var metadata = file.GetMetadataReader();
        return [.. metadata.TypeReferences.Select(reference => metadata.GetString(metadata.GetTypeReference(reference).Name))];
    }
}
