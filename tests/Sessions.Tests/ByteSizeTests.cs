using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class ByteSizeTests
{
    [Theory]
    [InlineData("64KB", 64L << 10, "64KB")]
    [InlineData("1024KB", 1L << 20, "1MB")]
    [InlineData("3GB", 3L << 30, "3GB")]
    [InlineData("0MB", 0, "0GB")]
    [InlineData("9223372036854775807GB", long.MaxValue, "9007199254740991KB")]
    public void A_size_is_read_and_written(string text, long bytes, string written)
    {
        Assert.True(ByteSize.TryParse(text, out var read));
        Assert.Equal((bytes, written), (read, ByteSize.Format(read)));
    }

    [Theory]
    [InlineData("")]
    [InlineData("64")]
    [InlineData("64mb")]
    [InlineData("-1MB")]
    [InlineData("1.5GB")]
    [InlineData("MB")]
    public void Other_forms_are_refused(string text) => Assert.False(ByteSize.TryParse(text, out _));
}
