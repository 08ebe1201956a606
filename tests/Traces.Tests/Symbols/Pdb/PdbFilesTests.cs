using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Pdb;

/// <summary>Which file is used for an image, and the messages about the others.</summary>
public sealed class PdbFilesTests : IDisposable
{
    private const string Key = "0123ABCD456789EF0123456789ABCDEF2";
    private static readonly Guid s_guid = new("0123abcd-4567-89ef-0123-456789abcdef");
    private static readonly Guid s_other = new("ffffffff-4567-89ef-0123-456789abcdef");

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("clr.pdb")]
    [InlineData("CLR.PDB")]
    [InlineData("clr.pdb/" + Key + "/clr.pdb")]
    [InlineData("Clr.pdb/0123abcd456789ef0123456789abcdef2/clr.pdb")]
    [InlineData("cl/clr.pdb/" + Key + "/clr.pdb")]
    public void A_file_lies_in_the_folder_or_as_symbol_servers_lay_it_out(string path)
    {
        Write(path, s_guid);
        var files = Files();

        Assert.Equal("f", Name(files, Image(s_guid)));
        Assert.Empty(files.Problems);
    }

    [Fact]
    public void A_single_file_may_be_named()
    {
        Write("clr.pdb", s_guid);

        Assert.Equal("f", Name(new PdbFiles([Path.Combine(_folder.Path, "clr.pdb")]), Image(s_guid)));
    }

    [Fact]
    public void A_file_with_another_guid_is_refused_and_said_once()
    {
        Write("clr.pdb", s_other);
        var files = Files();

        Assert.Null(Name(files, Image(s_guid)));
        Assert.Null(Name(files, Image(s_guid)));
        Assert.Contains(
            $"clr.pdb was not used: it has another GUID ({s_other}) than the image that was recorded ({s_guid})",
            Assert.Single(files.Problems),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Behind_a_file_with_another_guid_the_right_one_is_found()
    {
        Write("clr.pdb", s_other);
        Directory.CreateDirectory(Path.Combine(_folder.Path, "more"));
        Write("more/clr.pdb", s_guid);

        Assert.Equal("f", Name(new PdbFiles([_folder.Path, Path.Combine(_folder.Path, "more")]), Image(s_guid)));
    }

    [Fact]
    public void The_age_is_that_of_the_debug_information_or_of_the_file()
    {
        Write("clr.pdb", s_guid, age: 2, infoAge: 5);

        Assert.Equal("f", Name(Files(), Image(s_guid, 2)));
        Assert.Equal("f", Name(Files(), Image(s_guid, 5)));
        var files = Files();
        Assert.Null(Name(files, Image(s_guid, 3)));
        Assert.Contains("another age (2)", Assert.Single(files.Problems), StringComparison.Ordinal);
    }

    [Fact]
    public void Without_an_id_no_file_is_used()
    {
        Write("clr.pdb", s_guid);
        var files = Files();

        Assert.Null(Name(files, new FileMapping(default, 0x1000, 0x10000, 0, @"\Windows\clr.dll", "")));
        Assert.Contains("clr.pdb was not used, since it may be another version's", Assert.Single(files.Problems), StringComparison.Ordinal);
    }

    [Fact]
    public void Missing_files_are_listed_with_their_places()
    {
        var files = Files();
        Name(files, Image(s_guid));

        Assert.Contains($"clr.pdb/{Key}/clr.pdb", Assert.Single(files.Problems), StringComparison.Ordinal);
    }

    [Fact]
    public void Compressed_and_damaged_files_are_reported()
    {
        Directory.CreateDirectory(Path.Combine(_folder.Path, "clr.pdb", Key));
        File.WriteAllText(Path.Combine(_folder.Path, "clr.pdb", Key, "clr.pd_"), "MSCF");
        var files = Files();
        Assert.Null(Name(files, Image(s_guid)));
        Assert.Contains(files.Problems, problem => problem.Contains("compressed", StringComparison.Ordinal));

        File.WriteAllText(Path.Combine(_folder.Path, "clr.pdb", Key, "clr.pdb"), "BSJB" + new string('x', 100));
        files = Files();
        Assert.Null(Name(files, Image(s_guid)));
        Assert.Contains("portable", Assert.Single(files.Problems), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(@"..\..\etc\passwd")]
    [InlineData("..")]
    [InlineData("")]
    [InlineData("a\0b.pdb")]
    [InlineData("*.pdb")]
    public void Names_of_a_trace_lead_nowhere_else(string name)
    {
        Write("clr.pdb", s_guid);

        Assert.Null(Name(Files(), Image(s_guid) with { Pdb = new PdbReference(name, s_guid, 2) }));
    }

    private static string? Name(PdbFiles files, in FileMapping image) =>
        files.Functions(image) is { } functions && functions.TryFind(0x1000, out var name) ? name : null;

    private static FileMapping Image(Guid guid, int age = 2) =>
        new(default, 0x1000, 0x10000, 0, @"\Windows\clr.dll", "") { Pdb = new PdbReference(@"D:\build\clr.pdb", guid, age) };

    private PdbFiles Files() => new([_folder.Path]);

    private void Write(string path, Guid guid, int age = 2, int? infoAge = null)
    {
        var file = Path.Combine(_folder.Path, path);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllBytes(
            file,
            new SyntheticPdb(guid, age) { InfoAge = infoAge }
                .Section(0x1000, 0x100)
                .Public(1, 0, "f")
                .Build()
        );
    }
}
