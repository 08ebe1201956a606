using System.IO.Compression;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Lines;
using EtwSerializerProfiler.Traces.Symbols.Pdb;
using EtwSerializerProfiler.Traces.Tests.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Pdb;

/// <summary>PDB files in symbol packages, which are found in a folder or named directly.</summary>
public sealed class PdbPackageTests : IDisposable
{
    private readonly TempFolder _folder = new();
    private readonly string _assembly;
    private readonly byte[] _pdb;

    public PdbPackageTests()
    {
        _assembly = HandMadeAssembly.Write(_folder.Path, [(0, 11), (10, 12)], ("/src/M.cs", []));
        _pdb = File.ReadAllBytes(_folder.PathOf("made.pdb"));
        File.Delete(_folder.PathOf("made.pdb"));
    }

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("made.1.0.0.snupkg", false)]
    [InlineData("made.nupkg", false)]
    [InlineData("Symbols.ZIP", false)]
    [InlineData("made.1.0.0.snupkg", true)]
    public void A_pdb_is_read_from_a_package(string package, bool isNamed)
    {
        var path = Pack(package, ("lib/net8.0/made.pdb", OtherBuild()), ("lib/net10.0/MADE.pdb", _pdb), ("made.nuspec", [1]));
        var files = new PdbFiles([isNamed ? path : _folder.Path]);

        Assert.Equal(12, AssemblyLines.Open(_assembly, files.Find, null, out var problem)!.Find(HandMadeAssembly.Method, 15)!.Line);
        Assert.Equal("", problem);
        Assert.Empty(files.Problems);
    }

    [Fact]
    public void A_pdb_of_another_build_is_refused()
    {
        var path = Pack("made.snupkg", ("lib/net8.0/made.pdb", OtherBuild()));

        Assert.Null(AssemblyLines.Open(_assembly, new PdbFiles([_folder.Path]).Find, null, out var problem));
        Assert.Equal($"lib/net8.0/made.pdb in {path} was not used: it belongs to another build of the assembly", problem);
    }

    [Fact]
    public void Native_functions_have_names_from_a_package()
    {
        var guid = new Guid("0123abcd-4567-89ef-0123-456789abcdef");
        Pack("symbols.zip", ("x/clr.pdb", new SyntheticPdb(guid, 2).Section(0x1000, 0x100).Public(1, 0, "f").Build()));
        var files = new PdbFiles([_folder.Path]);

        Assert.True(
            files
                .Functions(
                    new FileMapping(default, 0x1000, 0x10000, 0, @"\Windows\clr.dll", "") { Pdb = new PdbReference("clr.pdb", guid, 2) }
                )!
                .TryFind(0x1000, out var name)
        );
        Assert.Equal("f", name);
    }

    [Fact]
    public void A_file_that_is_not_a_package_is_said_once()
    {
        var path = _folder.Write("made.snupkg", "no zip file");
        var files = new PdbFiles([_folder.Path]);

        Assert.Null(AssemblyLines.Open(_assembly, files.Find, null, out _));
        Assert.Null(AssemblyLines.Open(_assembly, files.Find, null, out _));
        Assert.StartsWith($"{path} was not searched for PDB files: ", Assert.Single(files.Problems), StringComparison.Ordinal);
    }

    [Fact]
    public void An_empty_file_and_a_folder_of_such_a_name_are_passed_by()
    {
        _folder.Write("made.snupkg", "");
        Directory.CreateDirectory(_folder.PathOf("made.zip"));
        var files = new PdbFiles([_folder.Path]);

        Assert.Null(AssemblyLines.Open(_assembly, files.Find, null, out var problem));
        Assert.Equal("", problem);
        Assert.Empty(files.Problems);
    }

    /// <summary>Damage yields a sentence or lines of the intact part, and takes no memory beyond the file's size.</summary>
    [Fact]
    public void Damaged_packages_are_errors_in_words()
    {
        var whole = File.ReadAllBytes(Pack("made.snupkg", ("lib/net10.0/made.pdb", _pdb)));
        var path = _folder.PathOf("made.snupkg");
        var (random, said) = (new Random(3), 0);
        for (var round = 0; round < 2000; round++)
        {
            byte[] bytes = round < 300 ? whole[..random.Next(1, whole.Length)] : [.. whole];
            for (var change = 0; change < 1 + round % 4 && round >= 300; change++)
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            File.WriteAllBytes(path, bytes);
            var files = new PdbFiles([path]);
            var pdb = AssemblyLines.Open(_assembly, files.Find, null, out var problem);
            _ = pdb?.Find(HandMadeAssembly.Method, 5);
            said += pdb is null && (problem.Length > 0 || files.Problems.Count > 0) ? 1 : 0;
            Assert.True(round >= 300 || pdb is null && (problem.Length > 0 || files.Problems.Count > 0), $"{round}");
        }

        Assert.True(said > 1000, $"{said} sentences");
    }

    private byte[] OtherBuild()
    {
        var folder = Directory.CreateDirectory(_folder.PathOf("other")).FullName;
        HandMadeAssembly.Write(folder, [(0, 99)], ("/src/M.cs", [1]), id: 2);
        return File.ReadAllBytes(Path.Combine(folder, "made.pdb"));
    }

    private string Pack(string name, params (string Entry, byte[] Bytes)[] files)
    {
        using var bytes = new MemoryStream();
        using (var zip = new ZipArchive(bytes, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach (var (entry, content) in files)
            {
                using var stream = zip.CreateEntry(entry).Open();
                stream.Write(content);
            }
        }

        return _folder.Write(name, bytes.ToArray());
    }
}
