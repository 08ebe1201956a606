using EtwSerializerProfiler.Analysis.Exceptions;

namespace EtwSerializerProfiler.Analysis.Tests.Exceptions;

/// <summary>Which parts of a message are values.</summary>
public sealed class MessagePatternTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("No digits here.", "No digits here.")]
    [InlineData("The input string 'abc' was not in a correct format.", "The input string '{value}' was not in a correct format.")]
    [InlineData("Could not find file \"/tmp/a b\" (code 2).", "Could not find file \"{value}\" (code {n}).")]
    [InlineData("The type “Shelf” or ‘Book’ or «Page» or `List`1`.", "The type “{value}” or ‘{value}’ or «{value}» or `{value}`.")]
    [InlineData("It doesn't matter that it can't read 'x'", "It doesn't matter that it can't read '{value}'")]
    [InlineData("left 'open and 5 digits", "left 'open and {n} digits")]
    [InlineData("'it's'", "'{value}'")]
    [InlineData("Line 12, position 7.", "Line {n}, position {n}.")]
    [InlineData("Value was too large for an Int32 or UTF8, node_17, V2.", "Value was too large for an Int32 or UTF8, node_17, V2.")]
    [InlineData("-5 is below 1,234.5 and -1.5e+10 and 3E7 and 10%", "{n} is below {n} and {n} and {n} and {n}%")]
    [InlineData("a-5 b_6 7-8", "a{n} b_6 {n}{n}")]
    [InlineData("took 5ms, the 3rd of 12px", "took {n}ms, the {n}rd of {n}px")]
    [InlineData("HRESULT 0x80131537 (0XFF)", "HRESULT {n} ({n})")]
    [InlineData("hash 7f3a9c0d and deadbeef01 and faded", "hash {n} and {n} and faded")]
    [InlineData("id 0f8fad5b-d9cb-469f-a165-70867728950e.", "id {guid}.")]
    [InlineData("id {0F8FAD5B-D9CB-469F-A165-70867728950E}", "id {{guid}}")]
    [InlineData("0f8fad5b-d9cb-469f-a165-70867728950 is none", "{n}-d9cb{n}-a165{n} is none")]
    [InlineData(@"file C:\Temp\x.json, and \\server\share\y.", "file {path}, and {path}.")]
    [InlineData("see https://aka.ms/x?y=1 or /usr/share/dotnet: gone", "see {path} or {path}: gone")]
    [InlineData("read/write and / and 1/2 stay", "read/write and / and {n}/{n} stay")]
    [InlineData("two\r\nlines\t and  blanks ", "two lines and blanks")]
    [InlineData("12:30:05 on 2026-11-22", "{n}:{n}:{n} on {n}{n}{n}")]
    [InlineData("１２ full-width", "１２ full-width")]
    public void Values_become_placeholders(string message, string pattern) =>
        Assert.Equal(pattern, new MessagePattern().Of(message).ToString());

    /// <summary>Messages of one kind have one pattern, regardless of their values.</summary>
    [Fact]
    public void Messages_of_one_kind_have_one_pattern()
    {
        var pattern = new MessagePattern();
        var random = new Random(5);
        Assert.Single(
            Enumerable
                .Range(0, 500)
                .Select(_ =>
                    pattern
                        .Of(
                            FormattableString.Invariant(
                                $"'{Word()}' at {random.Next()} of {Guid.NewGuid()} in /data/{Word()}/{Word()}.json took {random.NextDouble() * 1e-7:R} s, {random.Next(9)}ms (0x{random.Next():X})"
                            )
                        )
                        .ToString()
                )
                .Distinct()
        );

        string Word() => new([.. Enumerable.Range(0, random.Next(1, 12)).Select(_ => (char)random.Next('a', 'z'))]);
    }

    [Fact]
    public void Long_messages_are_cut_and_say_so()
    {
        var pattern = new MessagePattern();
        Assert.Equal(
            new string('x', MessagePattern.MaxPatternLength),
            pattern.Of(new string('x', MessagePattern.MaxPatternLength)).ToString()
        );
        Assert.Equal(
            new string('x', MessagePattern.MaxPatternLength) + "…",
            pattern.Of(new string('x', MessagePattern.MaxPatternLength + 1)).ToString()
        );
        Assert.Equal("a '{value}'…", pattern.Of("a '" + new string('x', MessagePattern.MaxMessageLength - 4) + "' b").ToString());
        Assert.Equal("short", pattern.Of("short").ToString());
    }

    /// <summary>Every message has a pattern of limited length, and the same one each time.</summary>
    [Fact]
    public void Any_text_has_a_pattern()
    {
        const string Letters = "'\"`“”‘«»0123456789abcxyzABCDEF-+.,:/\\ {}_eE\n\0é漢\uD83D";
        var (first, second) = (new MessagePattern(), new MessagePattern());
        var random = new Random(7);
        for (var i = 0; i < 20_000; i++)
        {
            var message = new string([.. Enumerable.Range(0, random.Next(0, 60)).Select(_ => Letters[random.Next(Letters.Length)])]);
            var pattern = first.Of(message).ToString();
            Assert.Equal(pattern, second.Of(message).ToString());
            Assert.True(pattern.Length <= MessagePattern.MaxPatternLength + 1, message);
        }
    }

    [Fact]
    public void A_pattern_allocates_nothing()
    {
        var pattern = new MessagePattern();
        const string Message =
            "The input string 'abc' at line 12 of /data/x/y.json was not in a correct format (0f8fad5b-d9cb-469f-a165-70867728950e).";
        var length = pattern.Of(Message).Length;
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1000; i++)
            length += pattern.Of(Message).Length;
        // One-time allocations of the runtime; one minimal object per message would be 24,000.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 10_000);
        Assert.Equal(1001 * pattern.Of(Message).Length, length);
    }
}
