using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Kept;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

/// <summary>Functions found by their code in this process's own runtime.</summary>
public sealed class RuntimeFunctionsTests : IDisposable
{
    private static readonly string s_library = Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "libcoreclr.so");

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_runtime_has_each_function_once_and_a_row_of_counters()
    {
        var found = Find(ImageFile.Open(Library()));

        Assert.Equal(
            ["RhpGcAlloc", "RhpNewObject", "RhpNewVariableSizeObject", "ThePreStub"],
            found.Select(item => item.Name).Where(name => name != RuntimeFunctions.Profile).Order(StringComparer.Ordinal)
        );
        var counters = found.Where(item => item.Name == RuntimeFunctions.Profile).ToList();
        Assert.InRange(counters.Count, 6, 12);

        // They are small, and compiled from neighbouring functions of one file.
        Assert.All(found, item => Assert.InRange(item.End - item.Start, 16u, 4096u));
        Assert.InRange(counters.Max(item => item.End) - counters.Min(item => item.Start), 0u, 8192u);
    }

    [Fact]
    public void A_recording_keeps_what_finds_them_and_no_more()
    {
        var whole = ImageFile.Open(Library());
        var found = Find(whole);
        var copy = Path.Combine(_folder.Path, "kept");
        Assert.True(whole.TryKeep(copy, long.MaxValue));

        Assert.Equal(found, Find(ImageFile.OpenKept(copy, s_library)));
        Assert.DoesNotContain(
            ImageFile.OpenKept(copy, s_library).Peek(0, whole.Length),
            part => part.Bytes.Length > 64 && IsText(whole, part.Offset)
        );
    }

    [Theory]
    [InlineData("48 ?? C3", "90 48 00 C3 48 48 FF C3", 1, 5)]
    [InlineData("C1 ?? 0D", "C1 E0 0D C1 E1 0E C1 E2 0D", 0, 6)]
    [InlineData("4C 89 D6 E8", "4C 89 D6 4C 89 D6 E8", 3)]
    [InlineData("4C 89 D6 E8", "4C 89 D6")]
    public void Bytes_that_vary_match_any(string pattern, string code, params int[] expected) =>
        Assert.Equal(expected, BytePattern.OfBytes(pattern).FindIn(Convert.FromHexString(code.Replace(" ", "", StringComparison.Ordinal))));

    [Fact]
    public void Instructions_of_four_bytes_match_at_their_edges_only()
    {
        var pattern = BytePattern.OfWords((0xAA0C03E1u, uint.MaxValue), (0x94000000u, 0xFC000000u));
        byte[] call = [0xE1, 0x03, 0x0C, 0xAA, 0x12, 0x34, 0x56, 0x97];

        Assert.Equal([4], pattern.FindIn([0, 0, 0, 0, .. call]));
        Assert.Empty(pattern.FindIn([0, 0, .. call, 0, 0]));
        Assert.Empty(pattern.FindIn([.. call[..7], 0x98]));
    }

    private static string Library()
    {
        Assert.SkipUnless(
            File.Exists(s_library)
                && Environment.Version.Major == 10
                && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64,
            "needs .NET 10 on Linux, x64 or arm64"
        );
        return s_library;
    }

    private static List<(ulong Start, ulong End, string Name)> Find(ImageFile image) =>
        ElfImage.ReadKept(image, _ => null) is { } file ? [.. file.RuntimeFunctions] : [];

    private static bool IsText(ImageFile image, long offset) =>
        ElfFile.Read(image)!.Section(".text"u8) is { } text && (ulong)offset >= text.Offset && (ulong)offset < text.Offset + text.Size;
}
