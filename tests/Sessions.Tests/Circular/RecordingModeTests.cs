using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests.Circular;

public sealed class RecordingModeTests
{
    [Theory]
    [InlineData("file", 0, "file")]
    [InlineData("circular:64MB", 64L << 20, "circular:64MB")]
    [InlineData("circular:1024KB", 1L << 20, "circular:1MB")]
    [InlineData("circular:1500KB", 1500L << 10, "circular:1500KB")]
    [InlineData("circular:2GB", 2L << 30, "circular:2GB")]
    [InlineData("circular:64GB", 64L << 30, "circular:64GB")]
    public void A_mode_is_read_and_written(string text, long bytes, string written)
    {
        Assert.True(RecordingMode.TryParse(text, out var mode, out var error), error);
        Assert.Equal((bytes, bytes > 0, written, ""), (mode.CircularBytes, mode.IsCircular, mode.ToString(), error));
    }

    [Fact]
    public void Of_a_size_on_disk_half_is_for_the_events_and_half_for_the_files_made_of_them()
    {
        var mode = RecordingMode.OnDisk(2L << 30);

        Assert.Equal((1L << 30, 2L << 30, true, true), (mode.CircularBytes, mode.MaxBytesOnDisk, mode.IsOnDisk, mode.IsCircular));
        Assert.Equal("--max-size 2GB", mode.ToString());
        Assert.False(RecordingMode.Circular(1L << 30).IsOnDisk);
    }

    [Theory]
    [InlineData("circular")]
    [InlineData("circular:")]
    [InlineData("circular:64")]
    [InlineData("circular:64mb")]
    [InlineData("circular:64 MB")]
    [InlineData("circular:-64MB")]
    [InlineData("circular:+64MB")]
    [InlineData("circular:1.5GB")]
    [InlineData("circular:MB")]
    [InlineData("circular:1,024KB")]
    [InlineData("ring:64MB")]
    [InlineData("File")]
    [InlineData("")]
    public void Another_form_is_refused_and_the_accepted_one_named(string text)
    {
        Assert.False(RecordingMode.TryParse(text, out _, out var error));
        Assert.Contains("circular:64MB", error, StringComparison.Ordinal);
        Assert.Contains($"'{text}'", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("circular:0MB")]
    [InlineData("circular:1023KB")]
    [InlineData("circular:65GB")]
    [InlineData("circular:9223372036854775807GB")]
    public void A_size_that_makes_no_sense_is_refused_with_the_bounds(string text)
    {
        Assert.False(RecordingMode.TryParse(text, out _, out var error));
        Assert.Contains("between 1MB and 64GB", error, StringComparison.Ordinal);
    }
}
