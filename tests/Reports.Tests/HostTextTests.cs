using EtwSerializerProfiler.Reports.Writers;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Tests;

public sealed class HostTextTests
{
    [Theory]
    [InlineData("Linux", "X64", "CPU 1", 2, 8_000_000_000, "Linux, X64, CPU 1, 2 logical processors, 8.0 GB")]
    [InlineData("Linux", "X64", "", 1, 8_000_000_000, "Linux, X64, 1 logical processor, 8.0 GB")]
    [InlineData("Linux", "X64", "CPU 1", 0, 0, "Linux, X64, CPU 1")]
    public void Unknown_facts_are_left_out(string system, string architecture, string cpu, int processors, long memory, string expected) =>
        Assert.Equal(expected, HostText.Of(new RecordingHost("host", system, architecture, cpu, processors, memory)));
}
