using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class HostDescriptionTests
{
    [Theory]
    [InlineData("processor\t: 0\ncpu MHz\t\t: 2445.436\nprocessor\t: 1\ncpu MHz\t\t: 3000.000\n", 2445.436)]
    [InlineData("processor\t: 0\ncpu MHz\t\t: \n", null)]
    [InlineData("processor\t: 0\ncpu MHz\t\t: 0.000\n", null)]
    [InlineData("processor\t: 0\nBogoMIPS\t: 50.00\n", null)] // ARM has none
    public void The_first_processors_frequency_is_read(string text, double? megahertz)
    {
        using var folder = new TempFolder();

        Assert.Equal(megahertz, HostDescription.ReadCpuMegahertz(folder.Write("cpuinfo", text)));
    }

    [Fact]
    public void The_cache_of_the_highest_level_is_read()
    {
        using var folder = new TempFolder();
        foreach (
            var (name, level, size) in ((string, string, string)[])
                [("index0", "1", "32K"), ("index3", "3", "32768K"), ("index2", "2", "512K")]
        )
        {
            Directory.CreateDirectory(Path.Combine(folder.Path, name));
            File.WriteAllText(Path.Combine(folder.Path, name, "level"), level + "\n");
            File.WriteAllText(Path.Combine(folder.Path, name, "size"), size + "\n");
        }

        Assert.Equal(32768 * 1024, HostDescription.ReadLastLevelCache(folder.Path));
        File.WriteAllText(Path.Combine(folder.Path, "index3", "size"), "\n");
        Assert.Equal(512 * 1024, HostDescription.ReadLastLevelCache(folder.Path));
        Assert.Null(HostDescription.ReadLastLevelCache("/no/such/folder"));
    }

    [Fact]
    public void A_missing_file_gives_none() => Assert.Null(HostDescription.ReadCpuMegahertz("/no/such/file"));
}
