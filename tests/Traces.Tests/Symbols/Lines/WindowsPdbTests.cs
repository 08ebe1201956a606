using System.Globalization;
using System.IO.Compression;
using System.Security.Cryptography;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Inlining;
using EtwSerializerProfiler.Traces.Symbols.Lines;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Lines;

/// <summary>Windows PDBs of managed code: those of Microsoft's writer against Mono.Cecil, and files of our own.</summary>
public sealed class WindowsPdbTests : IDisposable
{
    /// <summary>The method Work.Sum, whose loop is in line 26.</summary>
    private const int Sum = 0x06000004;

    private const int M = 0x06000001;

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("managed", 64)]
    [InlineData("embedded", 1)]
    public void Every_statement_is_as_Cecil_reads_it(string name, int count)
    {
        var lines = File.ReadAllLines(TestFiles.Data($"pdb/{name}.lines.txt"));
        var pdb = Read(File.ReadAllBytes(TestFiles.Data($"pdb/{name}.pdb")));
        var statements = Enumerable
            .Range(0, 0x20)
            .Select(row => 0x06000000 | row)
            .SelectMany(method =>
                pdb.Statements(method)
                    .Select(statement =>
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"{method:x8} {statement.Start:x4} {(statement.Line.Line == 0 ? "-" : statement.Line.Line)} {statement.Line.File}"
                        )
                    )
            );
        var documents = pdb
            .Documents.OrderBy(document => document.Path, StringComparer.Ordinal)
            .Select(document =>
                $"{document.Path} {(document.Algorithm == SourceTextReader.Sha256 ? "SHA256" : document.Algorithm == SourceTextReader.Sha1 ? "SHA1" : "None")} {Convert.ToHexStringLower(document.Checksum)}"
            );

        Assert.Equal(count, lines.Count(line => line.StartsWith("06", StringComparison.Ordinal)));
        Assert.Equal(lines, (string[])[.. statements, .. documents]);
    }

    [Theory]
    [InlineData(M, 0x0d, "Second.cs:5")] // an initializer of the other part of the class
    [InlineData(M, int.MaxValue, "Managed.cs:15")]
    [InlineData(Sum, 0x14, "Managed.cs:26")] // hidden: it counts to the statement before
    [InlineData(0x06000005, 1, "Template.tt:7")]
    [InlineData(0x06000005, 5, "Template.tt:8")]
    [InlineData(0x06000008, 0, "Managed.cs:62")] // hidden, at the method's begin
    [InlineData(0x06000015, 0x30, "Managed.cs:55")]
    [InlineData(0x06000006, 0, null)] // only its state machine has lines
    [InlineData(0x060000ff, 0, null)]
    [InlineData(0x02000001, 0, null)]
    public void A_line_is_that_of_the_statement(int method, int instruction, string? line)
    {
        var lines = Open(Copy("managed"), out var problem)!;

        Assert.Equal("", problem);
        Assert.Equal(line, lines.Find(method, instruction)?.ToString());
    }

    [Theory]
    [InlineData("Managed.cs", "", 26, "                    sum += value;")]
    [InlineData("Second.cs", "", 7, "        public int Length() => _there.Length + _here.Length;")]
    [InlineData("changed", "was changed since the program was built", 0, null)]
    [InlineData("missing", @"C:\esp\Managed.cs does not exist here", 0, null)]
    [InlineData("Template.tt", @"the PDB has no checksum of C:\esp\Template.tt", 0, null)]
    public void Source_is_shown_when_it_is_the_one_that_was_compiled(string what, string problem, int line, string? text)
    {
        foreach (var file in (string[])["Managed.cs", "Second.cs"])
        {
            if (what != "missing")
                _folder.Write(file, File.ReadAllText(TestFiles.Data($"pdb/{file}.txt")) + (what == "changed" ? "// more" : ""));
        }

        _folder.Write("Template.tt", "1\n2\n3\n4\n5\n6\nresult += 1;\n");
        var found = Open(Copy("managed"), out _)!.Text(@"C:\esp\" + (what is "changed" or "missing" ? "Managed.cs" : what))!;

        Assert.Contains(problem, found.Problem, StringComparison.Ordinal);
        Assert.Equal(problem.Length == 0, found.Problem.Length == 0);
        Assert.Equal(text, found.Lines.ElementAtOrDefault(line - 1));
    }

    [Fact]
    public void Embedded_source_is_read()
    {
        var text = Open(Copy("embedded"), out _)!.Text(@"C:\esp\Embedded.cs")!;

        Assert.Equal("", text.Problem);
        Assert.Equal("            return 2 * value;", text.Lines[6]);
        Assert.Equal("d7f1c9402d7afb06e6bdce94200c9addd6a99ad7", text.Checksum);
    }

    [Theory]
    [InlineData(2, null, "it belongs to another build of the assembly")]
    [InlineData(2, 1, "")]
    [InlineData(1, 3, "")]
    public void A_pdb_has_to_have_the_guid_and_the_age(int age, int? infoAge, string problem)
    {
        var assembly = Copy("managed");
        var beside = _folder.Write(
            "managed.pdb",
            new SyntheticPdb(ModuleMetadata.Read(assembly).Pdbs[0], age) { InfoAge = infoAge }
                .Managed([(M, 1, 0)], [("a.cs", 0, [])], (1, 0, false, 0, [(0, 5)]))
                .Build()
        );

        Assert.Equal(problem.Length == 0 ? 5 : null, Open(assembly, out var said)?.Find(M, 0)!.Line);
        Assert.Equal(problem.Length == 0 ? "" : $"{beside} was not used: {problem}", said);
    }

    [Fact]
    public void A_pdb_of_another_build_is_said_once()
    {
        var assembly = Copy("managed");
        File.Copy(TestFiles.Data("pdb/embedded.pdb"), _folder.PathOf("managed.pdb"), overwrite: true);
        var files = new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero);
        var metadata = files.Metadata(assembly, ModuleMetadata.Read(assembly).Pdbs[0])!;

        Assert.Null(files.Lines(metadata));
        Assert.Null(files.Lines(metadata));
        Assert.Equal(
            $"{_folder.PathOf("managed.pdb")} was not used: it belongs to another build of the assembly",
            Assert.Single(files.Problems)
        );
    }

    [Theory]
    [InlineData("flat")]
    [InlineData("store")]
    [InlineData("package")]
    public void A_pdb_is_found_in_folders_with_symbols(string layout)
    {
        var assembly = Copy("managed");
        var symbols = Directory.CreateDirectory(_folder.PathOf("symbols")).FullName;
        var store = Directory
            .CreateDirectory(Path.Combine(symbols, "managed.pdb", $"{ModuleMetadata.Read(assembly).Pdbs[0]:N}1".ToUpperInvariant()))
            .FullName;
        if (layout == "package")
        {
            using var zip = ZipFile.Open(Path.Combine(symbols, "managed.nupkg"), ZipArchiveMode.Create);
            zip.CreateEntryFromFile(_folder.PathOf("managed.pdb"), "lib/net472/managed.pdb");
        }
        else
        {
            File.Copy(
                _folder.PathOf("managed.pdb"),
                Path.Combine(layout == "store" ? store : Directory.CreateDirectory(_folder.PathOf("flat")).FullName, "managed.pdb")
            );
        }

        File.Delete(_folder.PathOf("managed.pdb"));

        Assert.Null(Open(assembly, out _));
        Assert.Equal(
            26,
            AssemblyLines
                .Open(assembly, new PdbFiles([layout == "flat" ? _folder.PathOf("flat") : symbols]).Find, null, out var problem)!
                .Find(Sum, 0x10)!
                .Line
        );
        Assert.Equal("", problem);
    }

    [Fact]
    public void A_recording_keeps_it()
    {
        var recording = Directory.CreateDirectory(_folder.PathOf("recording")).FullName;
        var source = _folder.Write("Managed.cs", File.ReadAllText(TestFiles.Data("pdb/Managed.cs.txt")));
        var assembly = Copy("managed");
        var id = ModuleMetadata.Read(assembly).Pdbs[0];
        var first = Files();
        Assert.Equal(26, first.Lines(first.Metadata(assembly, id)!)!.Find(Sum, 0x10)!.Line);
        first.Keep(KeptFiles.Source);
        foreach (var file in (string[])[assembly, _folder.PathOf("managed.pdb"), source])
            File.Delete(file);

        var files = Files();
        Assert.Equal(26, files.Lines(files.Metadata(assembly, id)!)!.Find(Sum, 0x10)!.Line);
        Assert.Equal("                    sum += value;", files.SourceText(@"C:\esp\Managed.cs").Lines[25]);
        Assert.Empty(files.Problems);

        SymbolFiles Files() => new("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero, recordingFolder: recording);
    }

    /// <summary>Symbol servers have Windows PDBs converted from portable ones: the assembly names a portable one.</summary>
    [Fact]
    public void The_content_of_a_pdb_counts_and_not_what_the_assembly_says()
    {
        var assembly = HandMadeAssembly.Write(_folder.Path, [(0, 1)], ("a.cs", []));
        _folder.Write(
            "made.pdb",
            new SyntheticPdb(ModuleMetadata.Read(assembly).Pdbs[0])
                .Managed([(M, 1, 0)], [("a.cs", 0, [])], (1, 0, false, 0, [(0, 7)]))
                .Build()
        );

        Assert.Equal(7, Open(assembly, out _)!.Find(M, 0)!.Line);
    }

    /// <summary>The PDB of precompiled code has the name that another entry of the assembly's debug directory gives it.</summary>
    [Fact]
    public void A_pdb_without_lines_of_methods_is_passed_by()
    {
        var assembly = Copy("managed");
        _folder.Write(
            "managed.pdb",
            new SyntheticPdb(ModuleMetadata.Read(assembly).Pdbs[0]).Section(0x1000, 0x100).Module((1, 0, 16, "f")).Build()
        );

        Assert.Null(Open(assembly, out var problem));
        Assert.Equal("", problem);
    }

    [Theory]
    [InlineData(1, "MD5", "")]
    [InlineData(2, "SHA1", "")]
    [InlineData(3, "SHA256", "")]
    [InlineData(0, "", "the PDB has no checksum of ")]
    [InlineData(9, "SHA256", "was changed since the program was built")]
    public void A_module_has_checksums_of_four_kinds(byte kind, string algorithm, string problem)
    {
        var source = _folder.Write("a.cs", "class A\n{\n}\n");
        var checksum =
            algorithm.Length == 0 ? [] : CryptographicOperations.HashData(new HashAlgorithmName(algorithm), File.ReadAllBytes(source));
        var assembly = Copy("managed");
        _folder.Write(
            "managed.pdb",
            new SyntheticPdb(ModuleMetadata.Read(assembly).Pdbs[0])
                .Managed([(M, 1, 0)], [(source, kind, checksum)], (1, 0, false, 0, [(0, 1)]))
                .Build()
        );

        var text = Open(assembly, out _)!.Text(source)!;

        Assert.Contains(problem, text.Problem, StringComparison.Ordinal);
        Assert.Equal(problem.Length == 0 ? "class A" : null, text.Lines.ElementAtOrDefault(0));
    }

    [Fact]
    public void Blocks_of_several_files_make_one_method()
    {
        var pdb = Read(
            new SyntheticPdb(Guid.Empty)
                .Managed(
                    [(M, 1, 0x10), (M + 1, 1, 0x20), (M + 2, 2, 0x10), (M + 3, 1, 0x40)],
                    [("a.cs", 0, []), ("b.cs", 0, [])],
                    (1, 0x10, true, 0, [(8, 12), (0, 10), (12, 0xF00F00)]),
                    (1, 0x10, false, 1, [(4, 0xFEEFEE), (2, 30)]),
                    (2, 0x10, true, 1, [(0, 50)]),
                    (3, 0x10, false, 1, [(0, 60)])
                )
                .Build()
        );

        Assert.Equal(
            [(0, "a.cs:10"), (2, "b.cs:30"), (4, "b.cs:0"), (8, "a.cs:12"), (12, "a.cs:0")],
            pdb.Statements(M).Select(statement => (statement.Start, statement.Line.ToString()))
        );
        Assert.Equal("b.cs:50", Assert.Single(pdb.Statements(M + 2)).Line.ToString());
        Assert.Empty(pdb.Statements(M + 1));
        Assert.Empty(pdb.Statements(M + 3));
    }

    [Fact]
    public void A_place_that_two_methods_claim_has_no_lines()
    {
        var pdb = Read(
            new SyntheticPdb(Guid.Empty)
                .Managed(
                    [(M, 1, 0), (M + 1, 1, 0), (M + 2, 1, 8), (0x0A000001, 1, 16)],
                    [("a.cs", 0, [])],
                    (1, 0, false, 0, [(0, 1)]),
                    (1, 8, false, 0, [(0, 2)]),
                    (1, 16, false, 0, [(0, 3)])
                )
                .Build()
        );

        Assert.Empty(pdb.Statements(M));
        Assert.Empty(pdb.Statements(M + 1));
        Assert.Equal(2, Assert.Single(pdb.Statements(M + 2)).Line.Line);
        Assert.Empty(pdb.Statements(0x0A000001));
    }

    [Fact]
    public void Methods_that_were_numbered_anew_have_their_new_numbers()
    {
        var pdb = Read(
            new SyntheticPdb(Guid.Empty)
                .Numbered(0, 7)
                .Managed([(M, 1, 0), (M + 4, 1, 8)], [("a.cs", 0, [])], (1, 0, false, 0, [(0, 1)]), (1, 8, false, 0, [(0, 2)]))
                .Build()
        );

        Assert.Equal(1, Assert.Single(pdb.Statements(0x06000007)).Line.Line);
        Assert.Empty(pdb.Statements(M));
        Assert.Empty(pdb.Statements(M + 4)); // the table ends before it
    }

    /// <summary>Damage yields the reader's own error or lines of the intact part, nothing else, and quickly.</summary>
    [Theory]
    [InlineData("managed")]
    [InlineData("embedded")]
    [InlineData("synthetic")]
    public void Damage_anywhere_is_survived(string name)
    {
        var whole =
            name == "synthetic"
                ? new SyntheticPdb(Guid.Empty)
                    .Numbered(0, 1, 2)
                    .Named("/src/files/b.cs", new byte[80])
                    .Managed(
                        [(M, 1, 0), (M + 1, 1, 8)],
                        [("a.cs", 3, new byte[32]), ("B.cs", 0, [])],
                        (1, 0, true, 0, [(0, 1), (4, 2)]),
                        (1, 8, false, 1, [(0, 2)])
                    )
                    .Build()
                : File.ReadAllBytes(TestFiles.Data($"pdb/{name}.pdb"));
        var structure = Enumerable.Range(0, whole.Length).Where(at => at < 64 || whole[at] != 0).ToArray();
        var random = new Random(20261125);
        var (refused, lines) = (0, 0);
        for (var round = 0; round < 4000; round++)
        {
            byte[] bytes = round < 400 ? whole[..random.Next(whole.Length)] : [.. whole];
            for (var changes = random.Next(1, 6); changes > 0 && round >= 400; changes--)
            {
                var at = random.Next(3) == 0 ? random.Next(bytes.Length) : structure[random.Next(structure.Length)];
                bytes[at] = random.Next(4) switch
                {
                    0 => 0xFF,
                    1 => 0,
                    2 => (byte)(bytes[at] ^ (1 << random.Next(8))),
                    _ => (byte)random.Next(256),
                };
            }

            try
            {
                var pdb = Read(bytes);
                lines += pdb.Statements(M).Count > 0 ? 1 : 0;
                foreach (var document in pdb.Documents)
                    _ = SourceTextReader.Read(document, _folder.Path, null);
            }
            catch (PdbFormatException)
            {
                refused++;
            }
        }

        Assert.True(refused > 500 && lines > 500, $"{refused} refused, {lines} with lines");
    }

    private static WindowsPdb Read(byte[] bytes) => WindowsPdbReader.Read(PdbFile.Open(new MemoryStream(bytes)));

    private static AssemblyLines? Open(string assembly, out string problem) =>
        AssemblyLines.Open(assembly, (_, _, _) => [], null, out problem);

    /// <summary>Copies an assembly and its PDB to the test's folder.</summary>
    private string Copy(string name)
    {
        foreach (var file in (string[])[$"{name}.pdb", $"{name}.dll"])
            File.Copy(TestFiles.Data($"pdb/{file}"), _folder.PathOf(file));
        return _folder.PathOf($"{name}.dll");
    }
}
