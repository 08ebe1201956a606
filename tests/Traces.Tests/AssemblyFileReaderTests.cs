using System.Reflection;
using System.Reflection.PortableExecutable;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class AssemblyFileReaderTests : IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>The runtime's facts on the assemblies that run these tests.</summary>
    [Fact]
    public void Identities_and_references_are_those_that_the_runtime_reads()
    {
        var loaded = AppDomain
            .CurrentDomain.GetAssemblies()
            .Where(assembly => assembly is { IsDynamic: false, Location.Length: > 0 })
            .ToList();
        Assert.True(loaded.Count > 10);
        foreach (var assembly in loaded)
        {
            var file = AssemblyFileReader.Read(assembly.Location);

            Assert.Equal((AssemblyKind.Managed, ""), (file.Kind, file.Problem));
            Assert.Equal(Of(assembly.GetName()), file.Identity);
            Assert.Equal(assembly.GetReferencedAssemblies().Select(Of), file.References.Select(reference => reference.Identity));
            Assert.Equal(assembly.ManifestModule.ModuleVersionId, file.ModuleId);
            Assert.Equal(
                assembly.GetCustomAttribute<System.Runtime.Versioning.TargetFrameworkAttribute>()?.FrameworkName ?? "",
                file.TargetFramework
            );
            Assert.Equal(assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()?.Configuration ?? "", file.Configuration);
            Assert.Equal(
                assembly.GetCustomAttribute<System.Diagnostics.DebuggableAttribute>()?.IsJITOptimizerDisabled ?? false,
                file.DisablesOptimizations
            );
        }

        // The class library is precompiled, these tests are not.
        Assert.Equal(AssemblyCode.ReadyToRun, AssemblyFileReader.Read(typeof(Uri).Assembly.Location).Code);
        Assert.Equal(
            (AssemblyCode.Il, AssemblyArchitecture.AnyCpu),
            (
                AssemblyFileReader.Read(typeof(AssemblyFileReaderTests).Assembly.Location).Code,
                AssemblyFileReader.Read(typeof(AssemblyFileReaderTests).Assembly.Location).Architecture
            )
        );
    }

    [Fact]
    public void Flags_are_as_they_are_in_the_file()
    {
        var path = new SyntheticAssembly("Rewritten", "1.2.3.4")
            .Reference("mscorlib", "4.0.0.0", "b77a5c561934e089", 0x70)
            .Reference("Plain", "1.0.0.0")
            .Reference("Other", "2.0.0.0", flags: 0x100)
            .Debuggable(0x107)
            .BuiltFor(".NETFramework,Version=v4.6.1")
            .Configured("Debug")
            .Write(_folder.Path);

        var file = AssemblyFileReader.Read(path);

        Assert.Equal([0u, 0x70u, 0u, 0x100u], file.References.Select(reference => reference.Flags));
        Assert.Equal([false, true, false, false], file.References.Select(reference => AssemblyReferenceFlags.IsIllegal(reference.Flags)));
        Assert.Equal(
            ("Rewritten", new Version(1, 2, 3, 4), ""),
            (file.Identity!.Name, file.Identity.Version, file.Identity.PublicKeyToken)
        );
        Assert.Equal(
            (true, "Debug", ".NETFramework,Version=v4.6.1", 1),
            (file.DisablesOptimizations, file.Configuration, file.TargetFramework, file.Methods)
        );
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    public void The_old_form_of_DebuggableAttribute_is_read(bool isTracking, bool isUnoptimized)
    {
        var path = new SyntheticAssembly("Old", "1.0.0.0").Debuggable(isTracking, isUnoptimized).Write(_folder.Path);

        Assert.Equal(isUnoptimized, AssemblyFileReader.Read(path).DisablesOptimizations);
    }

    [Theory]
    [InlineData(Machine.I386, CorFlags.ILOnly, AssemblyArchitecture.AnyCpu)]
    [InlineData(Machine.I386, CorFlags.ILOnly | CorFlags.Requires32Bit, AssemblyArchitecture.X86)]
    [InlineData(Machine.I386, CorFlags.ILOnly | CorFlags.Requires32Bit | CorFlags.Prefers32Bit, AssemblyArchitecture.AnyCpu)]
    [InlineData(Machine.Amd64, CorFlags.ILOnly, AssemblyArchitecture.X64)]
    [InlineData(Machine.Arm64, CorFlags.ILOnly, AssemblyArchitecture.Arm64)]
    public void Architectures(Machine machine, CorFlags flags, AssemblyArchitecture expected) =>
        Assert.Equal(
            expected,
            AssemblyFileReader
                .Read(new SyntheticAssembly("Some", "1.0.0.0") { Machine = machine, Flags = flags }.Write(_folder.Path))
                .Architecture
        );

    [Fact]
    public void Code_beside_il_is_mixed() =>
        Assert.Equal(
            AssemblyCode.Mixed,
            AssemblyFileReader.Read(new SyntheticAssembly("Cpp", "1.0.0.0") { Machine = Machine.Amd64, Flags = 0 }.Write(_folder.Path)).Code
        );

    /// <summary>Truncated and mutated files yield an error or their intact part; nothing throws.</summary>
    [Fact]
    public void Damaged_files_are_read_as_far_as_they_go()
    {
        var bytes = new SyntheticAssembly("Damaged", "1.0.0.0")
            .Reference("mscorlib", "4.0.0.0", "b77a5c561934e089", 0x70)
            .BuiltFor(".NETCoreApp,Version=v10.0")
            .Bytes();
        var path = Path.Combine(_folder.Path, "Damaged.dll");
        var (random, kinds) = (new Random(7), new HashSet<AssemblyKind>());
        for (var copy = 0; copy < 1500; copy++)
        {
            var damaged = bytes.ToArray();
            if (copy % 3 == 0)
                damaged = damaged[..random.Next(damaged.Length)];
            for (var change = copy % 3 == 0 ? 0 : random.Next(1, 20); change > 0; change--)
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            File.WriteAllBytes(path, damaged);

            var file = AssemblyFileReader.Read(path);

            kinds.Add(file.Kind);
            Assert.Equal(file.Kind == AssemblyKind.Unreadable, file.Problem.Length > 0);
        }

        Assert.Contains(AssemblyKind.Managed, kinds);
        Assert.Contains(AssemblyKind.Unreadable, kinds);
    }

    [Fact]
    public void Files_of_other_kinds_are_reported()
    {
        var text = Path.Combine(_folder.Path, "text.dll");
        File.WriteAllText(text, "no library");
        Assert.Equal(AssemblyKind.Unreadable, AssemblyFileReader.Read(text).Kind);
        var empty = Path.Combine(_folder.Path, "empty.dll");
        File.WriteAllBytes(empty, []);
        Assert.Equal(AssemblyKind.Unreadable, AssemblyFileReader.Read(empty).Kind);
    }

    private static AssemblyIdentity Of(AssemblyName name) =>
        new(name.Name!, name.Version!, name.CultureName ?? "", Convert.ToHexStringLower(name.GetPublicKeyToken() ?? []));
}
