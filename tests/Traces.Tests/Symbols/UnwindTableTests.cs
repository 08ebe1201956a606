using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Unwinding;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

/// <summary>Call frame information: handmade, and that of this machine's libraries against readelf (binutils).</summary>
public sealed class UnwindTableTests
{
    private const ulong IndexAddress = 0x1000;
    private const ulong FramesAddress = 0x2000;
    private const ulong Function = 0x9000;
    private const uint FunctionSize = 0x40;

    private static readonly UnwindColumns s_x64 = new(7, 6, true);

    /// <summary>rsp+8, return address at -8; push rbp at +1; mov rbp, rsp at +4; back at +0x20, remembered before.</summary>
    private static readonly byte[] s_framed = [0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x02, 0x1c, 0x0a, 0x0c, 7, 8, 0xc6, 0x48, 0x0b];

    [Fact]
    public void Rows_change_where_the_instructions_say()
    {
        var table = Make(s_framed)!;

        Assert.Equal(1, table.Count);
        Assert.Equal("rsp+8 u c-8", Text(table, Function));
        Assert.Equal("rsp+16 c-16 c-8", Text(table, Function + 1));
        Assert.Equal("rbp+16 c-16 c-8", Text(table, Function + 4));
        Assert.Equal("rbp+16 c-16 c-8", Text(table, Function + 0x1f));
        Assert.Equal("rsp+8 u c-8", Text(table, Function + 0x20));
        Assert.Equal("rbp+16 c-16 c-8", Text(table, Function + 0x28));
        Assert.Equal("none", Text(table, Function - 1));
        Assert.Equal("none", Text(table, Function + FunctionSize));
    }

    [Fact]
    public void Of_expressions_that_of_linkage_stubs_is_known()
    {
        byte[] stub = [0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22];
        Assert.True(Make(stub)!.TryFind(Function + 3, out var row));
        Assert.Equal((UnwindBase.LinkageStub, 11L), (row.Base, row.Offset));

        stub[2] = 0x76; // another register
        Assert.True(Make(stub)!.TryFind(Function + 3, out row));
        Assert.Equal(UnwindBase.Unknown, row.Base);
        Assert.True(Make([0x0c, 3, 8])!.TryFind(Function, out row)); // from rbx
        Assert.Equal(UnwindBase.Unknown, row.Base);
        Assert.True(Make([0x07, 16])!.TryFind(Function, out row));
        Assert.Equal(UnwindPlace.Nowhere, row.ReturnAddress);
    }

    [Fact]
    public void Damage_gives_no_row_and_never_throws()
    {
        var random = new Random(1123);
        var (index, frames) = Bytes(s_framed);
        var found = 0;
        for (var round = 0; round < 20_000; round++)
        {
            var (changedIndex, changedFrames) = ((byte[])index.Clone(), (byte[])frames.Clone());
            for (var change = 0; change < 1 + round % 4; change++)
            {
                var changed = random.Next(4) == 0 ? changedIndex : changedFrames;
                changed[random.Next(changed.Length)] = random.Next(2) == 0 ? (byte)0xff : (byte)random.Next(256);
            }

            var cut = round % 5 == 0 ? random.Next(changedFrames.Length) : changedFrames.Length;
            var table = UnwindTable.Create(s_x64, changedIndex, IndexAddress, _ => changedFrames[..cut]);
            for (var address = Function; table is not null && address < Function + FunctionSize; address += 5)
                found += table.TryFind(address, out _) ? 1 : 0;
        }

        Assert.InRange(found, 20_000, 20_000 * 13); // some changes leave a table
        Assert.Null(UnwindTable.Create(s_x64, [], IndexAddress, _ => frames));
        Assert.Null(UnwindTable.Create(s_x64, index, IndexAddress, _ => null));
    }

    [Theory]
    [InlineData("libc.so.6")]
    [InlineData("libcoreclr.so")]
    public void Libraries_of_this_machine_read_as_readelf_reads_them(string name)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture == Architecture.X64, "reads x64 ELF files");
        Assert.SkipUnless(File.Exists("/usr/bin/readelf"), "binutils is not installed");
        var line = File.ReadLines("/proc/self/maps").FirstOrDefault(line => line.EndsWith("/" + name, StringComparison.Ordinal));
        Assert.SkipWhen(line is null, $"{name} is not loaded");
        var path = line![line!.IndexOf('/', StringComparison.Ordinal)..];
        var segments = ReadElf("-lW", path)
            .Select(text => text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(words => words is ["LOAD", ..])
            .Select(words => (Offset: Hex(words[1]), Address: Hex(words[2]), Length: Hex(words[4])))
            .ToList();
        var image = ElfImage.Read(path)!;
        var rows = 0;
        var address = 0UL;
        var end = 0UL;
        var expected = "";
        string[] columns = [];
        var isSignal = false;
        foreach (
            var words in ReadElf("--debug-dump=frames-interp", path)
                .Select(text => text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
                .Append([])
        )
        {
            if (words is ["LOC", ..])
            {
                columns = words;
            }
            else if (words.Length == columns.Length && words.Length >= 3 && words[0].Length == 16)
            {
                if (Hex(words[0]) != address)
                    Check(); // the last of several rows at an address applies
                address = Hex(words[0]);
                var pointer = Array.IndexOf(columns, "rbp");
                expected = $"{words[1]} {(pointer > 0 && words[pointer] != "s" ? words[pointer] : "u")} {words[^1]}";
            }
            else
            {
                Check();
                if (words.Length > 4 && words[3] == "CIE")
                    isSignal = words[4].Contains('S', StringComparison.Ordinal);
                if (words is [_, _, _, "FDE", _, var range])
                    end = Hex(range[(range.LastIndexOf('.') + 1)..]);
            }
        }

        Assert.True(rows > 5000, $"{rows} rows");

        void Check()
        {
            // After its end a function has no row, although its instructions may define one; a common entry has no address.
            if (
                address != 0
                && address < end
                && !isSignal
                && segments.Find(segment => address >= segment.Address && address - segment.Address < segment.Length)
                    is { Length: > 0 } segment
            )
            {
                rows++;
                var found = image.TryFindUnwindRow(address - segment.Address + segment.Offset, out var row) ? Text(row) : "none";
                if (expected.StartsWith("rsp", StringComparison.Ordinal) || expected.StartsWith("rbp", StringComparison.Ordinal))
                    Assert.True(found == expected, $"{address:x}: {found}, readelf {expected}");
                else
                    Assert.True(
                        found.StartsWith("stub", StringComparison.Ordinal) || found.StartsWith('?'),
                        $"{address:x}: {found}, readelf {expected}"
                    );
            }

            address = 0;
        }
    }

    private static ulong Hex(string text) =>
        ulong.Parse(
            text.StartsWith("0x", StringComparison.Ordinal) ? text[2..] : text,
            NumberStyles.HexNumber,
            CultureInfo.InvariantCulture
        );

    private static string[] ReadElf(string what, string path)
    {
        using var process = Process.Start(
            new ProcessStartInfo("readelf", [what, path]) { RedirectStandardOutput = true, RedirectStandardError = true }
        )!;
        process.ErrorDataReceived += (_, _) => { };
        process.BeginErrorReadLine();
        var text = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return text.Split('\n');
    }

    private static string Text(UnwindTable table, ulong address) => table.TryFind(address, out var row) ? Text(row) : "none";

    private static string Text(in UnwindRow row)
    {
        var top = row.Base switch
        {
            UnwindBase.StackPointer => "rsp",
            UnwindBase.FramePointer => "rbp",
            UnwindBase.LinkageStub => "stub",
            _ => "?",
        };
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{top}{row.Offset:+0;-0;+0} {Place(row.FramePointer, row.FramePointerAt)} {Place(row.ReturnAddress, row.ReturnAddressAt)}"
        );

        static string Place(UnwindPlace place, long at) =>
            place switch
            {
                UnwindPlace.Stack => string.Create(CultureInfo.InvariantCulture, $"c{at:+0;-0;+0}"),
                UnwindPlace.Unknown => "?",
                _ => "u",
            };
    }

    private static UnwindTable? Make(byte[] instructions)
    {
        var (index, frames) = Bytes(instructions);
        return UnwindTable.Create(s_x64, index, IndexAddress, address => address == FramesAddress ? frames : null);
    }

    /// <summary>
    /// An index with one function, and its entry after a common one: code in units of 1, data of -8, return address in column 16, relative
    /// addresses.
    /// </summary>
    private static (byte[] Index, byte[] Frames) Bytes(byte[] instructions)
    {
        byte[] common = [0, 0, 0, 0, 1, (byte)'z', (byte)'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0];
        var content = (byte[])
            [
                .. BitConverter.GetBytes(4 + common.Length + 4),
                .. BitConverter.GetBytes((int)(Function - (FramesAddress + 4 + (ulong)common.Length + 8))),
                .. BitConverter.GetBytes(FunctionSize),
                0,
                .. instructions,
            ];
        byte[] frames = [.. BitConverter.GetBytes(common.Length), .. common, .. BitConverter.GetBytes(content.Length), .. content];
        byte[] index =
        [
            1,
            0x1b,
            0x03,
            0x3b,
            .. BitConverter.GetBytes((int)(FramesAddress - (IndexAddress + 4))),
            1,
            0,
            0,
            0,
            .. BitConverter.GetBytes((int)(Function - IndexAddress)),
            .. BitConverter.GetBytes((int)(FramesAddress + 4 + (ulong)common.Length - IndexAddress)),
        ];
        return (index, frames);
    }
}
