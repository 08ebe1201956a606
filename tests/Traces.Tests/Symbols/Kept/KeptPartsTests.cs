using System.IO.Compression;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Inlining;
using EtwSerializerProfiler.Traces.Symbols.Kept;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Kept;

/// <summary>A recording keeps the parts of libraries and assemblies that were read, and reads these when the files are missing.</summary>
public sealed class KeptPartsTests : IDisposable
{
    private const byte Function = 2;

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void What_was_read_is_kept_and_nothing_else()
    {
        var file = ImageFile.Open(_folder.Write("x", [.. Enumerable.Range(0, 200).Select(value => (byte)value)]));
        file.Read(new byte[4], 100);
        file.Read(new byte[4], 104);
        file.Read(new byte[10], 10);
        file.Read(new byte[10], 15);
        Assert.True(file.TryKeep(Copy, maxBytes: 23));
        Assert.False(file.TryKeep(Copy, maxBytes: 22));

        var kept = ImageFile.OpenKept(Copy, "/lib/x");
        Assert.Equal(("/lib/x", 200L, true, false), (kept.Path, kept.Length, kept.IsKept, file.IsKept));
        var bytes = new byte[8];
        Assert.Equal((8, 100, 107), (kept.Read(bytes, 100), bytes[0], bytes[7]));
        Assert.Equal((2, 106), (kept.Read(bytes, 106), bytes[0]));
        Assert.Equal((8, 24), (kept.Read(bytes, 17), bytes[7]));
        Assert.Equal((0, 0, 0, 0), (kept.Read(bytes, 9), kept.Read(bytes, 25), kept.Read(bytes, 108), kept.Read(bytes, 500)));
    }

    [Theory]
    [InlineData("here", ElfBytes.BuildId, "first")]
    [InlineData("gone", ElfBytes.BuildId, "first")]
    [InlineData("gone", "", "first")] // ptrace records no build ids
    [InlineData("changed", ElfBytes.BuildId, "first")]
    [InlineData("not kept", ElfBytes.BuildId, "x.so+0x1004")]
    public void A_library_that_is_gone_or_changed_has_its_names(string library, string buildId, string name)
    {
        var path = _folder.Write("x.so", ElfBytes.Make(("first", 0x401000, 0x10, Function)));
        var recording = Directory.CreateDirectory(Path.Combine(_folder.Path, "r")).FullName;
        var layout = new ProcessLayout();
        layout.Hear(new FileMapping(new EventAt(1, 42, 42), 0x7000_0000, 0x1000, 0x1000, path, buildId));
        var home = Files(recording);
        Assert.Equal("first", Name(home));
        Assert.Empty(home.Keep(library == "not kept" ? KeptFiles.None : KeptFiles.Symbols));
        if (library == "changed")
            _folder.Write("x.so", Changed());
        else if (library != "here")
            File.Delete(path);

        var away = Files(recording, "elsewhere");
        Assert.Equal((name, 0), (Name(away), away.Problems.Count));
        Assert.Empty(away.Keep(KeptFiles.Symbols)); // parts that are kept already stay

        string Name(SymbolFiles files)
        {
            var resolver = new SymbolResolver(42, new ManagedCodeMap(), layout, files);
            return resolver.Symbols[resolver.Resolve(0x7000_0004, 10, isKernel: false)].Name;
        }

        static byte[] Changed()
        {
            var other = ElfBytes.Make(("other", 0x401000, 0x10, Function));
            var at = other.AsSpan().IndexOf(Convert.FromHexString(ElfBytes.BuildId));
            other[at] ^= 1;
            return other;
        }
    }

    [Fact]
    public void An_assembly_has_the_metadata_and_the_IL_that_were_read()
    {
        var whole = ModuleMetadata.Read(typeof(KeptPartsTests).Assembly.Location);
        var tokens = Enumerable
            .Range(1, whole.Reader.MethodDefinitions.Count)
            .Select(row => 0x0600_0000 | row)
            .Where(token => whole.Calls(token) is not null)
            .Take(2)
            .ToList();
        var (read, other) = (tokens[0], Enumerable.Range(tokens[^1] + 1, 1000).First(token => whole.Method(token) is not null));
        Assert.True(whole.ImageFile.TryKeep(Copy, long.MaxValue));

        var kept = ModuleMetadata.Read(ImageFile.OpenKept(Copy, whole.Path));
        Assert.Equal((whole.Pdbs.Single(), whole.Method(other)), (kept.Pdbs.Single(), kept.Method(other)));
        Assert.Equal(whole.Body(read), kept.Body(read));
        Assert.NotNull(kept.Body(read));
        var unread = Enumerable.Range(other, 10_000).First(token => whole.Body(token) is not null);
        Assert.Null(kept.Body(unread)); // read after it was kept
    }

    [Fact]
    public void Damaged_parts_are_refused()
    {
        var path = _folder.Write("x.so", ElfBytes.Make(("first", 0x401000, 0x10, Function)));
        Assert.True(ElfImage.Read(path)!.ImageFile.TryKeep(Copy, long.MaxValue));
        var whole = File.ReadAllBytes(Copy);
        for (var length = 0; length < whole.Length / 2; length++)
        {
            File.WriteAllBytes(Copy, whole[..length]);
            Assert.Throws<InvalidDataException>(() => ImageFile.OpenKept(Copy, path));
        }

        using var packed = new MemoryStream(whole);
        using var unpacked = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionMode.Decompress))
            gzip.CopyTo(unpacked);
        var random = new Random(35);
        for (var round = 0; round < 1000; round++)
        {
            var bytes = unpacked.ToArray();
            bytes[random.Next(60)] ^= (byte)(1 << random.Next(8));
            using (var gzip = new GZipStream(File.Create(Copy), CompressionLevel.Fastest))
                gzip.Write(bytes);
            try
            {
                ElfImage.ReadKept(ImageFile.OpenKept(Copy, path), _ => null)?.TryFind(0x1004, out _);
            }
            catch (InvalidDataException)
            {
                // the expected message
            }
        }
    }

    private string Copy => Path.Combine(_folder.Path, "copy.parts");

    private static SymbolFiles Files(string recording, string? machine = null) =>
        new(machine ?? Environment.MachineName, DateTime.UtcNow, TimeSpan.FromSeconds(10), recordingFolder: recording);
}
