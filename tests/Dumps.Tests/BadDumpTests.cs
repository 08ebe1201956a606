using System.CommandLine;
using System.Text;
using EtwSerializerProfiler.Analyzer.Commands;

namespace EtwSerializerProfiler.Dumps.Tests;

/// <summary>
/// An unreadable file is an error of three lines with exit code 3; damage inside gives a report of the rest, or that error, and never a
/// crash.
/// </summary>
public sealed class BadDumpTests(DumpedProgram program) : IClassFixture<DumpedProgram>, IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("", "the file is not a dump", "the file is empty")]
    [InlineData("hello, this is text", "the file is not a dump", "68656C6C")]
    [InlineData("MDMP", "the dump is truncated", "the file ends after 4")]
    [InlineData("\u001f\u008b packed", "the file is not a dump", "unpack it")]
    public void Other_files(string content, string what, string hint) =>
        Refused(_folder.Write("x.dmp", Encoding.Latin1.GetBytes(content)), what, hint);

    [Fact]
    public void A_file_that_is_not_there() => Refused(Path.Combine(_folder.Path, "absent.dmp"), "the file does not exist", "name a dump");

    [Fact]
    public void A_folder_without_dumps() => Refused(_folder.Path, "the path is a folder, but not a recording", "name a dump");

    [Fact]
    public void A_program_is_not_a_dump()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "programs are ELF files on Linux");
        Refused(Path.Combine(AppContext.BaseDirectory, "TestProgram"), "the file is not a dump", "not the program");
    }

    [Fact]
    public void Another_processor()
    {
        var bytes = new byte[64];
        Encoding.Latin1.GetBytes("\u007fELF").CopyTo(bytes, 0);
        (bytes[4], bytes[5], bytes[16], bytes[18]) = (1, 1, 4, 40); // a 32-bit core file of ARM
        Refused(_folder.Write("arm.core", bytes), "another kind of machine (Arm)", "run esp-analyze on Arm");
    }

    [Fact]
    public void A_truncated_dump()
    {
        program.Need();
        foreach (var part in (double[])[0.0001, 0.5, 0.9999])
        {
            var path = Copy(program.Mini);
            using (var file = File.OpenWrite(path))
                file.SetLength((long)(file.Length * part));
            Refused(path, "the dump is truncated", "copy it again");
        }
    }

    [Fact]
    public void A_process_without_dotnet()
    {
        Need();
        Refused(Patched("libcoreclr.so", "libnotclr1.so"), "a process without .NET", "name the dump of a .NET process");
    }

    [Fact]
    public void A_runtime_that_is_not_here_any_more()
    {
        Need();
        Refused(Patched("/Microsoft.NETCore.App/", "/Microsoft.NETGone.App/"), "debugging library", "--dac");
    }

    /// <summary>Bytes changed everywhere: the rest is reported, whatever the debugging library reads.</summary>
    [Fact]
    public void Damaged_dumps_never_crash()
    {
        program.Need();
        for (var seed = 1; seed <= 4; seed++)
        {
            var path = Copy(seed % 2 == 0 ? program.Heap : program.Mini);
            var random = new Random(seed);
            using (var file = File.Open(path, FileMode.Open))
            {
                for (var change = 0; change < 2_000; change++)
                {
                    file.Position = random.NextInt64(change < 20 ? 4_096 : file.Length);
                    file.WriteByte((byte)random.Next(256));
                }
            }

            var (code, output, error) = Run("dump", path, "--exceptions", "--threads", "--heap", "--locks", "--modules");
            Assert.True(
                code == 0 ? output.Length > 0 : code == 3 && ErrorLines.Check("esp-analyze", error).What.Length > 0,
                $"seed {seed}: {code}: {error}"
            );
        }
    }

    private static (int Code, string Output, string Error) Run(params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var code = RootCommandFactory.Run(arguments, new InvocationConfiguration { Output = output, Error = error });
        return (code, output.ToString(), error.ToString());
    }

    private static void Refused(string path, string what, string hint)
    {
        var (code, output, error) = Run("dump", path);

        Assert.True((code, output) == (3, ""), $"{code}: {output}{error}");
        Assert.Equal(3, error.TrimEnd().Split('\n').Length);
        Assert.Contains(what, error, StringComparison.Ordinal);
        Assert.Contains(hint, error, StringComparison.Ordinal);
        Assert.Contains(Path.GetFileName(path), error, StringComparison.Ordinal);
    }

    private void Need()
    {
        program.Need();
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the patched names are those of an ELF core file");
    }

    private string Copy(string dump)
    {
        var path = Path.Combine(_folder.Path, "copy.dmp");
        File.Copy(dump, path, overwrite: true);
        return path;
    }

    /// <summary>The mini dump with a text changed wherever it is, to one of the same length.</summary>
    private string Patched(string from, string to)
    {
        var bytes = File.ReadAllBytes(program.Mini);
        var (search, replace) = (Encoding.ASCII.GetBytes(from), Encoding.ASCII.GetBytes(to));
        Assert.Equal(search.Length, replace.Length);
        var changes = 0;
        for (var at = bytes.AsSpan().IndexOf(search); at >= 0; changes++)
        {
            replace.CopyTo(bytes, at);
            var next = bytes.AsSpan(at + 1).IndexOf(search);
            at = next < 0 ? -1 : at + 1 + next;
        }

        Assert.True(changes > 0, $"'{from}' is nowhere in the dump");
        return _folder.Write("patched.dmp", bytes);
    }
}
