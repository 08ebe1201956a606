using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Tests.Runs;

public sealed class SpeedMemoryTests : IDisposable
{
    private readonly TempFolder _folder = new();
    private readonly string _path;

    public SpeedMemoryTests() => _path = Path.Combine(_folder.Path, "below", "speed.txt");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void What_was_written_last_is_remembered()
    {
        Assert.Null(new SpeedMemory(_path).Read());
        new SpeedMemory(_path).Write(50_000);
        new SpeedMemory(_path).Write(48_123);

        Assert.Equal(48_123, new SpeedMemory(_path).Read());
    }

    [Fact]
    public void An_old_one_is_forgotten()
    {
        new SpeedMemory(_path).Write(50_000);
        File.SetLastWriteTimeUtc(_path, DateTime.UtcNow - TimeSpan.FromHours(25));

        Assert.Null(new SpeedMemory(_path).Read());
    }

    [Theory]
    [InlineData(0, "another runtime")]
    [InlineData(1, "another processor")]
    [InlineData(2, "no number")]
    [InlineData(2, "0")]
    public void One_of_something_else_is_none(int line, string text)
    {
        new SpeedMemory(_path).Write(50_000);
        var lines = File.ReadAllLines(_path);
        lines[line] = text;
        File.WriteAllLines(_path, lines);

        Assert.Null(new SpeedMemory(_path).Read());
    }

    [Fact]
    public void A_place_that_cannot_be_written_is_not_an_error()
    {
        var below = Path.Combine(_folder.Write("file", "text"), "speed.txt");
        new SpeedMemory(below).Write(50_000);

        Assert.Null(new SpeedMemory(below).Read());
    }
}
