using System.Globalization;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Pdb;

/// <summary>PDB files of lld against the output of llvm-pdbutil, and files of our own.</summary>
public sealed partial class PdbFileTests
{
    private static readonly Guid s_guid = new("0123abcd-4567-89ef-0123-456789abcdef");

    [Theory]
    [InlineData("native", "C2A5DA14-C02A-EA17-4C4C-44205044422E")]
    [InlineData("public", "4F5BE349-EF14-6921-4C4C-44205044422E")]
    public void Every_public_function_is_found(string name, string guid)
    {
        var file = Open(Data($"{name}.pdb"));
        var functions = PdbFunctionReader.Read(file);
        var sections = Sections(name);
        var publics = Publics(name).Where(symbol => symbol.IsFunction).ToList();

        Assert.True(publics.Count > 40);
        foreach (var (symbol, section, offset, _) in publics)
        {
            var address = (ulong)(sections[section - 1].Address + offset);
            Assert.True(functions.TryFind(address, out var found), symbol);
            Assert.True(functions.TryFind(address + 1, out _) || name == "native", symbol);

            Assert.Equal(MsvcNames.Undecorate(symbol, isX86: false), found);
        }

        Assert.Equal(ToFile(new Guid(guid)), file.Guid);
        Assert.Equal(1, file.Age);
    }

    [Fact]
    public void Data_is_not_a_function()
    {
        var functions = PdbFunctionReader.Read(Open(Data("public.pdb")));
        var sections = Sections("public");

        foreach (var (symbol, section, offset, _) in Publics("public").Where(symbol => !symbol.IsFunction))
            Assert.False(functions.TryFind((ulong)(sections[section - 1].Address + offset), out _), symbol);
    }

    [Fact]
    public void Nothing_lies_before_the_first_section_or_after_the_last_function()
    {
        var functions = PdbFunctionReader.Read(Open(Data("public.pdb")));
        var (address, size) = Sections("public")[0];

        Assert.False(functions.TryFind(0, out _));
        Assert.False(functions.TryFind((ulong)address - 1, out _));
        Assert.True(functions.TryFind((ulong)address, out _));
        Assert.False(functions.TryFind((ulong)(address + size), out _));
    }

    [Theory]
    [InlineData("file_static")]
    [InlineData("`anonymous namespace'::hidden")]
    public void Static_functions_are_in_the_file_that_describes_procedures(string function)
    {
        Assert.Contains(function, Names(PdbFunctionReader.Read(Open(Data("native.pdb"))), Sections("native")[0]));
        Assert.DoesNotContain(function, Names(PdbFunctionReader.Read(Open(Data("public.pdb"))), Sections("public")[0]));
    }

    [Theory]
    [InlineData(512)]
    [InlineData(4096)]
    [InlineData(32768)]
    public void Pages_of_any_size_are_read_in_their_order(int pageSize)
    {
        var pdb = new SyntheticPdb(s_guid, 7) { PageSize = pageSize }.Section(0x1000, 0x100_0000);
        for (var i = 0; i < 20_000; i++)
            pdb.Public(1, 0x20 * i, FormattableString.Invariant($"function_{i}_{new string('x', i % 200)}"));
        var file = Open(pdb.Build());
        var functions = PdbFunctionReader.Read(file);

        Assert.Equal((s_guid, 7, 20_000), (file.Guid, file.Age, functions.Count));
        for (var i = 0; i < 20_000; i += 7)
        {
            Assert.True(functions.TryFind((ulong)(0x1000 + (0x20 * i) + 0x1f), out var name));
            Assert.Equal(FormattableString.Invariant($"function_{i}_{new string('x', i % 200)}"), name);
        }
    }

    [Fact]
    public void A_public_symbol_ends_with_its_piece_of_code_and_a_procedure_where_it_says()
    {
        var functions = PdbFunctionReader.Read(
            Open(
                new SyntheticPdb(s_guid)
                    .Section(0x1000, 0x1000)
                    .Section(0x3000, 0x100)
                    .Piece(1, 0, 0x100)
                    .Piece(1, 0x200, 0x100)
                    .Public(1, 0x10, "first")
                    .Public(1, 0x200, "second")
                    .Public(1, 0x240, "third")
                    .Public(2, 0x20, "last")
                    .Public(2, 0x200, "outside")
                    .Public(9, 0, "nowhere")
                    .Module((1, 0x240, 8, "third_in_its_module"), (1, 0x280, 0x10, "hidden"))
                    .Build()
            )
        );

        Assert.Equal("", At(functions, 0x100f));
        Assert.Equal("first", At(functions, 0x10ff));
        Assert.Equal("", At(functions, 0x1100));
        Assert.Equal("second", At(functions, 0x123f));
        Assert.Equal("third", At(functions, 0x1247));
        Assert.Equal("", At(functions, 0x1248));
        Assert.Equal("hidden", At(functions, 0x128f));
        Assert.Equal("", At(functions, 0x1290));
        Assert.Equal("last", At(functions, 0x30ff));
        Assert.Equal("", At(functions, 0x3100));
        Assert.Equal(5, functions.Count);
    }

    [Fact]
    public void Leftovers_of_linking_and_managed_symbols_do_not_count()
    {
        var functions = PdbFunctionReader.Read(
            Open(
                new SyntheticPdb(s_guid)
                    .Section(0x1000, 0x1000)
                    .Public(1, 0x10, "old", counts: false)
                    .Public(1, 0x20, "data", flags: 0)
                    .Public(1, 0x30, "managed", flags: 6)
                    .Public(1, 0x40, "code", flags: 1)
                    .Public(1, 0x50, "function")
                    .Build()
            )
        );

        Assert.Equal(2, functions.Count);
        Assert.Equal("code", At(functions, 0x1040));
        Assert.Equal("function", At(functions, 0x1050));
    }

    [Fact]
    public void Code_that_was_moved_is_found_where_it_is_now()
    {
        var functions = PdbFunctionReader.Read(
            Open(
                new SyntheticPdb(s_guid)
                    .Section(0x1000, 0x1000)
                    .Public(1, 0, "first")
                    .Public(1, 0x100, "second")
                    .Moved(0x5000, 0x1100)
                    .Moved(0x5080, 0)
                    .Moved(0x6000, 0x1010)
                    .Build()
            )
        );

        Assert.Equal("", At(functions, 0x1000));
        Assert.Equal("second", At(functions, 0x507f));
        Assert.Equal("", At(functions, 0x5080));
        Assert.Equal("first", At(functions, 0x6000));
        Assert.Equal("second", At(functions, 0x60f0));
    }

    [Fact]
    public void Names_of_32_bit_code_lose_their_decorations()
    {
        var functions = PdbFunctionReader.Read(
            Open(
                new SyntheticPdb(s_guid) { Machine = 0x14c }
                    .Section(0x1000, 0x1000)
                    .Public(1, 0, "_NtClose@4")
                    .Public(1, 16, "_memcpy")
                    .Public(1, 32, "@fast@8")
                    .Build()
            )
        );

        Assert.Equal(["NtClose", "memcpy", "fast"], new ulong[] { 0x1000, 0x1010, 0x1020 }.Select(address => At(functions, address)));
    }

    [Theory]
    [InlineData("", "cut short")]
    [InlineData("BSJB", "portable")]
    [InlineData("MZ", "head of a PDB file")]
    public void Another_file_is_reported(string head, string expected)
    {
        byte[] bytes = [.. System.Text.Encoding.ASCII.GetBytes(head), .. new byte[head.Length == 0 ? 0 : 100]];

        Assert.Contains(expected, Assert.Throws<PdbFormatException>(() => Open(bytes)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_cut_short_is_reported()
    {
        var bytes = Data("native.pdb");

        for (var length = 0; length <= bytes.Length - 4096; length += 1000)
            Assert.Throws<PdbFormatException>(() => PdbFunctionReader.Read(Open(bytes[..length])));
    }

    internal static byte[] Data(string name) => File.ReadAllBytes(TestFiles.Data($"pdb/{name}"));

    internal static PdbFile Open(byte[] bytes) => PdbFile.Open(new MemoryStream(bytes));

    private static string At(PdbFunctions functions, ulong address) => functions.TryFind(address, out var name) ? name : "";

    private static HashSet<string> Names(PdbFunctions functions, (int Address, int Size) section) =>
        [.. Enumerable.Range(section.Address, section.Size).Select(address => At(functions, (ulong)address))];

    private static List<(int Address, int Size)> Sections(string name)
    {
        var numbers = SectionLine()
            .Matches(File.ReadAllText(TestFiles.Data($"pdb/{name}.sections.txt")))
            .Select(match => int.Parse(match.Groups[1].Value, NumberStyles.HexNumber, CultureInfo.InvariantCulture))
            .ToList();
        return [.. numbers.Chunk(2).Select(pair => (pair[1], pair[0]))];
    }

    private static List<(string Name, int Section, int Offset, bool IsFunction)> Publics(string name) =>
        [
            .. PublicLine()
                .Matches(File.ReadAllText(TestFiles.Data($"pdb/{name}.publics.txt")))
                .Select(match =>
                    (match.Groups[1].Value, Number(match.Groups[3]), Number(match.Groups[4]), match.Groups[2].Value == "function")
                ),
        ];

    private static int Number(Group group) => int.Parse(group.Value, CultureInfo.InvariantCulture);

    /// <summary>llvm-pdbutil writes the bytes of a GUID in the order of the file.</summary>
    private static Guid ToFile(Guid guid) => new(guid.ToByteArray(bigEndian: false));

    [GeneratedRegex(@"S_PUB32 \[size = \d+\] `(.+)`\s+flags = (\w+), addr = (\d+):(\d+)")]
    private static partial Regex PublicLine();

    [GeneratedRegex(@"([0-9A-F]+) virtual (?:size|address)")]
    private static partial Regex SectionLine();
}
