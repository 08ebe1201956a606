using System.Security.Cryptography;
using System.Text;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Inlining;
using EtwSerializerProfiler.Traces.Symbols.Lines;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Lines;

public sealed class PortablePdbTests : IDisposable
{
    private const string Source = "class M\r\n{\r\n    static void F() { }\r\n}\r\n";

    private static readonly (int, int)[] s_points = [(0, 0), (2, 11), (10, 12), (20, 0), (30, 14)];

    private readonly string _folder = Directory.CreateTempSubdirectory("esp-pdb-").FullName;

    private string SourcePath => Path.Combine(_folder, "M.cs");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_line_is_that_of_the_statement_and_hidden_ones_have_their_neighbours(bool isEmbedded)
    {
        var pdb = Open(HandMadeAssembly.Write(_folder, s_points, (SourcePath, []), isEmbedded), out var problem)!;

        Assert.Equal("", problem);
        Assert.Equal(
            [11, 11, 11, 12, 12, 14, 14],
            ((int[])[0, 2, 9, 10, 25, 30, int.MaxValue]).Select(offset => pdb.Find(HandMadeAssembly.Method, offset)!.Line)
        );
        Assert.Equal(SourcePath, pdb.Find(HandMadeAssembly.Method, 2)!.File);
        Assert.Equal("M.cs:11", pdb.Find(HandMadeAssembly.Method, 2)!.ToString());
    }

    [Theory]
    [InlineData(0x06000002)]
    [InlineData(0x06000000)]
    [InlineData(0x02000001)]
    [InlineData(0)]
    public void What_is_not_one_of_its_methods_has_no_line(int token) =>
        Assert.Null(Open(HandMadeAssembly.Write(_folder, s_points, (SourcePath, [])), out _)!.Find(token, 2));

    [Fact]
    public void The_lines_of_this_assembly_are_those_of_its_source()
    {
        var method = typeof(PortablePdbTests).GetMethod(nameof(The_lines_of_this_assembly_are_those_of_its_source))!;
        var pdb = Open(typeof(PortablePdbTests).Assembly.Location, out _)!;
        var line = pdb.Find(method.MetadataToken, 0)!;
        var text = pdb.Text(line.File)!;

        Assert.EndsWith("PortablePdbTests.cs", line.File, StringComparison.Ordinal);
        if (text.Problem.Length == 0)
            Assert.Contains(
                nameof(The_lines_of_this_assembly_are_those_of_its_source),
                text.Lines[line.Line - 3] + text.Lines[line.Line - 2] + text.Lines[line.Line - 1],
                StringComparison.Ordinal
            );
    }

    [Fact]
    public void A_pdb_of_another_build_is_refused()
    {
        HandMadeAssembly.Write(_folder, s_points, (SourcePath, []));
        var other = Directory.CreateDirectory(Path.Combine(_folder, "other")).FullName;
        var assembly = HandMadeAssembly.Write(other, [(0, 99)], (SourcePath, [1]), id: 2);
        File.Copy(Path.Combine(_folder, "made.pdb"), Path.Combine(other, "made.pdb"), overwrite: true);

        Assert.Null(Open(assembly, out var problem));
        Assert.Equal($"{Path.Combine(other, "made.pdb")} was not used: it belongs to another build of the assembly", problem);
    }

    [Theory]
    [InlineData("")]
    [InlineData("store")]
    public void A_pdb_is_found_in_folders_with_symbols(string layout)
    {
        var assembly = HandMadeAssembly.Write(_folder, s_points, (SourcePath, []));
        var symbols = Directory.CreateDirectory(Path.Combine(_folder, "symbols")).FullName;
        var folder = layout.Length == 0 ? symbols : Directory.CreateDirectory(Path.Combine(symbols, "made.pdb", Key(assembly))).FullName;
        File.Move(Path.Combine(_folder, "made.pdb"), Path.Combine(folder, "made.pdb"));

        Assert.Null(AssemblyLines.Open(assembly, (_, _, _) => [], null, out var missing));
        Assert.Equal("", missing);
        Assert.Equal(
            11,
            AssemblyLines.Open(assembly, new PdbFiles([symbols]).Find, null, out var problem)!.Find(HandMadeAssembly.Method, 2)!.Line
        );
        Assert.Equal("", problem);
    }

    /// <summary>Damage yields an error message or lines of the intact part, nothing else.</summary>
    [Fact]
    public void Damaged_pdbs_are_errors()
    {
        var assembly = HandMadeAssembly.Write(
            _folder,
            s_points,
            (SourcePath, SHA256.HashData(Encoding.UTF8.GetBytes(Source))),
            embedded: Encoding.UTF8.GetBytes(Source)
        );
        var path = Path.Combine(_folder, "made.pdb");
        var whole = File.ReadAllBytes(path);
        var random = new Random(7);
        for (var round = 0; round < 400; round++)
        {
            var bytes = round < 100 ? whole[..random.Next(whole.Length)] : [.. whole];
            for (var change = 0; change < 3 && round >= 100; change++)
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            File.WriteAllBytes(path, bytes);
            if (Open(assembly, out var problem) is not { } pdb)
            {
                Assert.NotEqual("", problem);
                continue;
            }

            _ = pdb.Find(HandMadeAssembly.Method, 5);
            _ = pdb.Text(SourcePath);
        }
    }

    [Theory]
    [InlineData("same", "")]
    [InlineData("unix", "")]
    [InlineData("changed", "was changed since the program was built")]
    [InlineData("missing", "does not exist here; run from the folder of the sources")]
    [InlineData("embedded", "")]
    public void Source_is_shown_when_it_is_the_one_that_was_compiled(string what, string problem)
    {
        var text = what switch
        {
            "unix" => Source.ReplaceLineEndings("\n"),
            "changed" => Source + "// more",
            _ => Source,
        };
        if (what is not ("missing" or "embedded"))
            File.WriteAllText(SourcePath, text);
        var assembly = HandMadeAssembly.Write(
            _folder,
            s_points,
            (SourcePath, SHA256.HashData(Encoding.UTF8.GetBytes(Source))),
            embedded: what == "embedded" ? Encoding.UTF8.GetBytes(Source) : null
        );

        var found = Open(assembly, out _)!.Text(SourcePath)!;

        Assert.Contains(problem, found.Problem, StringComparison.Ordinal);
        Assert.Equal(problem.Length == 0, found.Problem.Length == 0);
        Assert.Equal(problem.Length == 0 ? "    static void F() { }" : null, found.Lines.ElementAtOrDefault(2));
    }

    [Theory]
    [InlineData("/_/src/M.cs", "")]
    [InlineData(@"D:\a\1\s\src\M.cs", "")]
    [InlineData("/_/other/N.cs", "/_/other/N.cs does not exist here")]
    [InlineData("/_/old/M.cs", "/old/M.cs was changed since the program was built")]
    public void Source_of_a_build_elsewhere_is_found_above_the_assembly(string path, string problem)
    {
        string Sub(string name) => Directory.CreateDirectory(Path.Combine(_folder, name)).FullName;
        File.WriteAllText(Path.Combine(Sub("src"), "M.cs"), Source);
        File.WriteAllText(Path.Combine(Sub("old"), "M.cs"), Source + "// more");
        var assembly = HandMadeAssembly.Write(Sub("bin/debug"), s_points, (path, SHA256.HashData(Encoding.UTF8.GetBytes(Source))));

        var found = Open(assembly, out _)!.Text(path)!;

        Assert.Contains(problem, found.Problem, StringComparison.Ordinal);
        Assert.Equal(problem.Length == 0 ? 5 : 0, found.Lines.Count);
    }

    [Theory]
    [InlineData(KeptFiles.Source, "")]
    [InlineData(KeptFiles.Assemblies, "M.cs does not exist here")]
    public void A_recording_that_keeps_the_programs_files_is_read_without_them(KeptFiles kept, string problem)
    {
        var recording = Directory.CreateDirectory(Path.Combine(_folder, "recording")).FullName;
        var build = Directory.CreateDirectory(Path.Combine(_folder, "build")).FullName;
        File.WriteAllText(SourcePath, Source);
        var assembly = HandMadeAssembly.Write(build, s_points, (SourcePath, SHA256.HashData(Encoding.UTF8.GetBytes(Source))));
        var pdb = ModuleMetadata.Read(assembly).Pdbs[0];
        var first = Files(recording);
        Assert.Equal(11, first.Lines(first.Metadata(assembly, pdb)!)!.Find(HandMadeAssembly.Method, 2)!.Line);
        first.Keep(kept);
        Directory.Delete(build, recursive: true);
        File.Delete(SourcePath);

        var files = Files(recording);
        Assert.Equal(11, files.Lines(files.Metadata(assembly, pdb)!)!.Find(HandMadeAssembly.Method, 2)!.Line);
        Assert.Contains(problem, files.SourceText(SourcePath).Problem, StringComparison.Ordinal);
        Assert.Equal(problem.Length == 0, files.SourceText(SourcePath).Problem.Length == 0);
        Assert.Empty(files.Problems);
        Assert.Null(Files(recording).Metadata(assembly, Guid.NewGuid()));
        Assert.Null(Files(_folder).Metadata(assembly, pdb));

        static SymbolFiles Files(string recording) => new("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero, recordingFolder: recording);
    }

    private static AssemblyLines? Open(string assembly, out string problem) =>
        AssemblyLines.Open(assembly, (_, _, _) => [], null, out problem);

    private static string Key(string assembly)
    {
        using var file = new System.Reflection.PortableExecutable.PEReader(File.OpenRead(assembly));
        return $"{file.ReadCodeViewDebugDirectoryData(file.ReadDebugDirectory()[0]).Guid:N}FFFFFFFF".ToUpperInvariant();
    }
}
