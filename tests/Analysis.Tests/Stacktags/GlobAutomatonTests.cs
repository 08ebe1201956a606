using System.Text.RegularExpressions;
using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Analysis.Tests.Stacktags;

public sealed class GlobAutomatonTests
{
    [Theory]
    [InlineData("abc", "abc", true)]
    [InlineData("abc", "abcd", false)]
    [InlineData("abc*", "abc", true)]
    [InlineData("*", "", true)]
    [InlineData("a**c", "abbc", true)]
    [InlineData("*b*", "abc", true)]
    [InlineData("*.Get*", "Type.Set", false)]
    [InlineData("a*a", "a", false)]
    [InlineData("", "a", false)]
    [InlineData("Abc", "abc", false)]
    public void A_pattern_fits_a_text(string pattern, string text, bool fits) =>
        Assert.Equal(fits, new GlobAutomaton([pattern]).Match(text).Length == 1);

    [Fact]
    public void A_star_does_not_reach_beyond_its_part()
    {
        var automaton = new GlobAutomaton(["*\0b", "a*b"]);

        Assert.Equal([0], automaton.Match("xyz\0b").ToArray());
        Assert.Empty(automaton.Match("a\0b\0b").ToArray());
        Assert.Equal([1], automaton.Match("aXb").ToArray());
    }

    /// <summary>Random patterns and texts of few characters, so that many match, against equivalent regular expressions.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void All_patterns_that_fit_are_found(int seed)
    {
        var random = new Random(seed);
        var patterns = Enumerable.Range(0, 60).Select(_ => Text(random, "ab*:", 7)).ToList();
        var expressions = patterns
            .Select(pattern => new Regex("^" + Regex.Escape(pattern).Replace("\\*", ".*", StringComparison.Ordinal) + "\\z"))
            .ToList();
        var automaton = new GlobAutomaton(patterns);
        var fitting = 0;
        for (var i = 0; i < 2000; i++)
        {
            var text = Text(random, "ab:", 9);
            var expected = Enumerable.Range(0, patterns.Count).Where(pattern => expressions[pattern].IsMatch(text)).ToArray();
            Assert.Equal(expected, automaton.Match(text).ToArray());
            fitting += expected.Length;
        }

        Assert.InRange(fitting, 1000, int.MaxValue);
    }

    private static string Text(Random random, string characters, int longest) =>
        new([.. Enumerable.Range(0, random.Next(longest)).Select(_ => characters[random.Next(characters.Length)])]);
}
