using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

public sealed class DebugFilesTests : IDisposable
{
    private const byte Function = 2;
    private const string DebugName = "x.debug";

    private static readonly byte[] s_debug = ElfBytes.Make(("internal", 0x401000, 0x10, Function), ("exported", 0x401020, 0x20, Function));

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_checksum_is_that_of_the_standard() => Assert.Equal(0xCBF43926, Crc32.OfFile(_folder.Write("check", "123456789")));

    [Theory]
    [InlineData("app/x.debug")]
    [InlineData("app/.debug/x.debug")]
    [InlineData("system{0}/app/x.debug")]
    [InlineData("symbols/x.debug")]
    [InlineData("symbols/.build-id/01/02030405060708.debug")]
    [InlineData("system/.build-id/01/02030405060708.debug")]
    public void A_debug_file_names_functions_wherever_it_may_lie(string place)
    {
        var debug = Write(place.Replace("{0}", _folder.Path, StringComparison.Ordinal), s_debug);
        var files = Files();

        var image = ElfImage.Read(WriteImage(Crc32.OfFile(debug)), files)!;

        Assert.Equal("internal", Find(image, 0x1008));
        Assert.Equal("exported", Find(image, 0x1030));
        Assert.True(image.HasSymbols);
        Assert.Empty(files.Problems);
    }

    [Fact]
    public void A_file_that_is_named_as_symbols_is_taken()
    {
        var debug = Write("elsewhere/x.debug", s_debug);

        Assert.Equal(
            "internal",
            Find(ElfImage.Read(WriteImage(Crc32.OfFile(debug)), new DebugFiles([debug], Path.Combine(_folder.Path, "system")))!, 0x1008)
        );
    }

    [Fact]
    public void A_debug_file_with_another_checksum_is_not_used_and_that_is_said_once()
    {
        var debug = Write("app/x.debug", s_debug);
        var files = Files();
        var path = WriteImage(0x12345678);

        for (var time = 0; time < 2; time++)
        {
            var image = ElfImage.Read(path, files)!;
            Assert.Equal("", Find(image, 0x1008));
            Assert.Equal("own", Find(image, 0x1020));
        }

        Assert.Equal([$"{debug} was not used: its checksum is {Crc32.OfFile(debug):x8}, {path} asks for 12345678"], files.Problems);
    }

    [Fact]
    public void A_debug_file_with_another_build_id_is_not_used()
    {
        var debug = Write("symbols/.build-id/01/02030405060708.debug", ElfBytes.WithBuildId(s_debug, "0000000000000001"));
        var files = Files();
        var path = WriteImage(1);

        Assert.Equal("", Find(ElfImage.Read(path, files)!, 0x1008));
        Assert.Equal([$"{debug} was not used: it has build id 0000000000000001, {path} has {ElfBytes.BuildId}"], files.Problems);
    }

    [Fact]
    public void A_link_that_names_a_folder_is_not_followed()
    {
        var debug = Write("x.debug", s_debug);

        Assert.Equal("", Find(ElfImage.Read(WriteImage(Crc32.OfFile(debug), "../x.debug"), Files())!, 0x1008));
    }

    [Fact]
    public void A_damaged_image_or_debug_file_does_no_harm()
    {
        var debug = Write("app/x.debug", s_debug);
        var whole = File.ReadAllBytes(WriteImage(Crc32.OfFile(debug)));
        var random = new Random(4711);
        for (var round = 0; round < 1000; round++)
        {
            var bytes = round % 2 == 0 ? whole : s_debug;
            var changed = (byte[])bytes.Clone();
            for (var change = 0; change <= round % 4; change++)
                changed[random.Next(3) == 0 ? random.Next(256) : random.Next(0x2000, changed.Length)] = (byte)random.Next(256);
            var image = Write("app/x.so", round % 2 == 0 ? changed : whole);
            Write("app/x.debug", round % 2 == 0 ? s_debug : changed);

            // The checksum covers the whole file: a changed file is not used.
            if (ElfImage.Read(image, Files()) is { } read && round % 2 != 0 && !changed.AsSpan().SequenceEqual(s_debug))
                Assert.Equal("", Find(read, 0x1008));
        }
    }

    private DebugFiles Files() => new([Path.Combine(_folder.Path, "symbols")], Path.Combine(_folder.Path, "system"));

    private string WriteImage(uint checksum, string debugName = DebugName) =>
        Write(
            "app/x.so",
            ElfBytes.WithSections(
                ElfBytes.Make(("own", 0x401020, 0x20, Function)),
                (".gnu_debuglink", 0, ElfBytes.DebugLink(debugName, checksum))
            )
        );

    private string Write(string place, byte[] content)
    {
        var path = Path.GetFullPath(Path.Combine(_folder.Path, place));
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
        return path;
    }

    private static string Find(ElfImage image, ulong offset)
    {
        image.TryFind(offset, out var name);
        return name;
    }
}
