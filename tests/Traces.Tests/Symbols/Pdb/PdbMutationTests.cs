using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Pdb;

/// <summary>Damaged PDB files yield fewer names or the reader's own error, nothing else, and quickly.</summary>
public sealed class PdbMutationTests
{
    public static TheoryData<string> Files => ["native.pdb", "public.pdb", "synthetic"];

    [Theory]
    [MemberData(nameof(Files))]
    public void Damage_anywhere_is_survived(string name)
    {
        var original = name == "synthetic" ? Synthetic() : PdbFileTests.Data(name);
        var structure = Interesting(original);
        var random = new Random(20261121);
        var refused = 0;
        for (var i = 0; i < 7000; i++)
        {
            var bytes = (byte[])original.Clone();
            for (var changes = random.Next(1, 6); changes > 0; changes--)
            {
                var at = random.Next(3) == 0 ? random.Next(bytes.Length) : structure[random.Next(structure.Count)];
                bytes[at] = random.Next(4) switch
                {
                    0 => 0xFF,
                    1 => 0,
                    2 => (byte)(bytes[at] ^ (1 << random.Next(8))),
                    _ => (byte)random.Next(256),
                };
            }

            if (random.Next(20) == 0)
                bytes = bytes[..random.Next(bytes.Length)];
            try
            {
                var functions = PdbFunctionReader.Read(PdbFileTests.Open(bytes));
                for (var address = 0UL; address < 0x2000; address += 61)
                    functions.TryFind(address, out _);
                functions.TryFind(ulong.MaxValue, out _);
            }
            catch (PdbFormatException)
            {
                refused++;
            }
        }

        Assert.InRange(refused, 100, 6999);
    }

    /// <summary>Non-zero bytes outside of texts: the file's structure.</summary>
    private static List<int> Interesting(byte[] bytes) =>
        [.. Enumerable.Range(0, bytes.Length).Where(at => at < 64 || bytes[at] is not 0 and (< 32 or > 126))];

    private static byte[] Synthetic() =>
        new SyntheticPdb(Guid.Empty, 3)
            .Section(0x1000, 0x1000)
            .Piece(1, 0, 0x80)
            .Public(1, 0, "?f@@YAXXZ")
            .Public(1, 0x100, "g")
            .Module((1, 0x40, 8, "h"))
            .Module((1, 0x60, 8, "i"))
            .Moved(0x10, 0x1000)
            .Moved(0x1000, 0x1100)
            .Build();
}
