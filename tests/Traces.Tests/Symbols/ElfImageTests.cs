using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

public sealed class ElfImageTests : IDisposable
{
    private const byte Function = 2;
    private const byte Object = 1;

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Finds_functions_by_their_place_in_the_file()
    {
        var image = ElfImage.Read(
            _folder.Write(
                "x.so",
                ElfBytes.Make(("first", 0x401000, 0x10, Function), ("second", 0x401020, 0x20, Function), ("data", 0x401050, 0x8, Object))
            )
        )!;

        Assert.Equal(ElfBytes.BuildId, image.BuildId);
        Assert.Equal(2, image.Count);
        Assert.Equal("first", Find(image, 0x1000));
        Assert.Equal("first", Find(image, 0x100f));
        Assert.Equal("", Find(image, 0x1010)); // a gap: not the neighbour's
        Assert.Equal("second", Find(image, 0x1020));
        Assert.Equal("", Find(image, 0x1050)); // no function
        Assert.Equal("", Find(image, 0x0fff)); // in no segment
        Assert.Equal("", Find(image, 0x2020));
        Assert.Equal("", Find(image, ulong.MaxValue));
    }

    [Fact]
    public void A_function_without_a_size_reaches_up_to_the_next()
    {
        var image = ElfImage.Read(
            _folder.Write("x.so", ElfBytes.Make(("open", 0x401000, 0, Function), ("next", 0x401080, 0x10, Function)))
        )!;

        Assert.Equal("open", Find(image, 0x107f));
        Assert.Equal("next", Find(image, 0x1080));
    }

    /// <summary>
    /// .NET's hosts on arm64 are stripped and have no call frame information there; otherwise the main thread's stacks would end at an
    /// unnamed place.
    /// </summary>
    [Fact]
    public void A_stripped_program_begins_in_start()
    {
        var image = ElfImage.Read(
            _folder.Write("host", ElfBytes.MakeProgram(0x401100, isFlagged: true, ("imported", 0x401000, 0x10, Function)))
        )!;

        Assert.Equal(("", "_start", "_start", ""), (Find(image, 0x10ff), Find(image, 0x1100), Find(image, 0x113f), Find(image, 0x1140)));
        Assert.Equal(ElfBytes.BuildId, image.BuildId);
    }

    [Fact]
    public void The_entry_of_a_library_means_nothing_and_a_name_of_the_table_goes_first()
    {
        Assert.Equal("", Find(ElfImage.Read(_folder.Write("x.so", ElfBytes.MakeProgram(0x401100, isFlagged: false)))!, 0x1100));
        Assert.Equal(
            "own",
            Find(
                ElfImage.Read(_folder.Write("named", ElfBytes.MakeProgram(0x401100, isFlagged: true, ("own", 0x401100, 0x10, Function))))!,
                0x1100
            )
        );
        Assert.Equal(
            "next",
            Find(
                ElfImage.Read(_folder.Write("near", ElfBytes.MakeProgram(0x401100, isFlagged: true, ("next", 0x401110, 0x10, Function))))!,
                0x1110
            )
        );
    }

    [Fact]
    public void Of_two_names_of_one_address_one_is_given() =>
        Assert.Equal(
            "longer",
            Find(
                ElfImage.Read(
                    _folder.Write("x.so", ElfBytes.Make(("alias", 0x401000, 0, Function), ("longer", 0x401000, 0x20, Function)))
                )!,
                0x1000
            )
        );

    [Fact]
    public void A_file_cut_anywhere_gives_nothing_or_true_names()
    {
        var whole = ElfBytes.Make(("first", 0x401000, 0x10, Function), ("second", 0x401020, 0x20, Function));
        for (var length = 0; length < whole.Length; length += length is < 256 or >= 0x2000 ? 1 : 97)
        {
            if (ElfImage.Read(_folder.Write("x.so", whole[..length])) is { } image)
                Assert.Contains(Find(image, 0x1000), (string[])["", "first"]);
        }
    }

    [Fact]
    public void A_damaged_file_does_no_harm()
    {
        var whole = ElfBytes.Make(("first", 0x401000, 0x10, Function), ("second", 0x401020, 0x20, Function));
        var random = new Random(4711);
        byte[] extremes = [0, 1, 0x7f, 0x80, 0xff];
        for (var round = 0; round < 2000; round++)
        {
            var bytes = (byte[])whole.Clone();
            for (var change = 0; change < 1 + round % 6; change++)
            {
                // Headers, notes and tables; the segment's content between them is irrelevant.
                var at = random.Next(2) == 0 ? random.Next(256) : random.Next(0x2000, bytes.Length);
                bytes[at] = random.Next(2) == 0 ? extremes[random.Next(extremes.Length)] : (byte)random.Next(256);
            }

            var image = ElfImage.Read(_folder.Write("x.so", bytes));
            image?.TryFind((ulong)random.Next(0x3000), out _);
            image?.TryFind((ulong)random.NextInt64(), out _);
        }
    }

    [Fact]
    public void Many_section_headers_of_one_symbol_table_have_its_symbols_once()
    {
        const int Headers = 60_000;
        var whole = ElfBytes.Make(("first", 0x401000, 0x10, Function), ("second", 0x401020, 0x20, Function));
        var sections = whole[(int)BitConverter.ToInt64(whole, 40)..];
        byte[] file = [.. whole, .. sections, .. Enumerable.Repeat(sections[64..128], Headers - 3).SelectMany(header => header)];
        BitConverter.TryWriteBytes(file.AsSpan(40), (long)whole.Length);
        BitConverter.TryWriteBytes(file.AsSpan(60), (ushort)Headers);

        var image = ElfImage.Read(_folder.Write("x.so", file))!;

        Assert.Equal(2, image.Count);
        Assert.Equal("second", Find(image, 0x1020));
    }

    [Fact]
    public void A_file_that_is_not_ELF_has_no_symbols()
    {
        Assert.Null(ElfImage.Read(_folder.Write("text", new string('x', 1000))));
        Assert.Null(ElfImage.Read(_folder.Write("empty", "")));
        Assert.Null(ElfImage.Read(Path.Combine(_folder.Path, "missing")));
        Assert.Null(ElfImage.Read("/dev/zero"));
    }

    [Fact]
    public void The_C_library_of_this_machine_has_its_functions()
    {
        Assert.SkipUnless(
            OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture == Architecture.X64,
            "reads ELF files of 64-bit Linux"
        );
        var lines = File.ReadLines("/proc/self/maps")
            .Where(line => line.Contains("/libc.so.6", StringComparison.Ordinal) || line.Contains("/ld-musl", StringComparison.Ordinal))
            .ToList();
        Assert.SkipWhen(lines.Count == 0, "no C library of a known name");
        var path = lines[0][lines[0].IndexOf('/', StringComparison.Ordinal)..];
        var library = NativeLibrary.Load(path);
        var image = ElfImage.Read(path)!;
        foreach (var name in (string[])["malloc", "qsort", "fopen"])
        {
            var address = (ulong)NativeLibrary.GetExport(library, name);
            var (start, _, offset) = lines
                .Select(line => line.Split(' '))
                .Select(parts => (Start: Hex(parts[0].Split('-')[0]), End: Hex(parts[0].Split('-')[1]), Offset: Hex(parts[2])))
                .First(mapping => mapping.Start <= address && address < mapping.End);

            // Some have another name beside: __libc_malloc, fopen64.
            Assert.Contains(name, Find(image, address - start + offset), StringComparison.Ordinal);
        }

        static ulong Hex(string text) => ulong.Parse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
    }

    private static string Find(ElfImage image, ulong offset)
    {
        image.TryFind(offset, out var name);
        return name;
    }
}
