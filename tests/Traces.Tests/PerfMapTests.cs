using EtwSerializerProfiler.Traces.PerfMaps;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class PerfMapTests
{
    [Theory]
    [InlineData("1000 20 A.B:C (int)\n", "1000-1020 A.B:C (int)")]
    [InlineData("0x1000 0x20 A\r\n", "1000-1020 A")]
    [InlineData("1000 20 last", "1000-1020 last")]
    [InlineData("2000 10 b\n1000 10 a\n", "1000-1010 a|2000-2010 b")]
    [InlineData("1000 80 replaced\n2000 10 b\n1000 10 a\n", "1000-1010 a|2000-2010 b")]
    [InlineData("1000 20   été \n", "1000-1020 été")]
    [InlineData("\n1000\n1000 20\n1000 20 \n 1000 20 a\n1000 0 a\nx 20 a\n1000 y a\nffffffffffffffff 2 a\n", "")]
    [InlineData("", "")]
    public void An_entry_is_a_line_of_start_size_and_name_and_the_last_one_of_a_start_counts(string text, string expected)
    {
        using var folder = new TempFolder();
        var map = PerfMap.Read(folder.Write("perf-1.map", text));

        Assert.Equal(
            expected,
            string.Join('|', Enumerable.Range(0, map.Count).Select(i => $"{map[i].Start:x}-{map[i].End:x} {map[i].Name}"))
        );
        Assert.Equal(map.Count > 0 && expected.StartsWith("1000-", StringComparison.Ordinal), map.TryFind(0x1000, out _));
    }

    /// <summary>Two tiers of a method have different texts.</summary>
    [Fact]
    public void The_texts_of_all_code_of_a_method_name_one_method()
    {
        var names = new MapNamePool();

        var (first, second) = (names.Of("void [App] A.B::C(int32)[QuickJitted]"), names.Of("void [App] A.B::C(int32)[OptimizedTier1]"));

        Assert.NotEqual(first!.Tier, second!.Tier);
        Assert.Same(first.Method, second.Method);
        Assert.Equal(new MapMethod("App.dll", "A.B", "C", "void (int32)"), first.Method);
        Assert.NotSame(first.Method, names.Of("void [App] A.B::C(int64)[QuickJitted]")!.Method);
        Assert.Null(names.Of("(null)"));
        Assert.Null(names.Of("(null)"));
    }
}
