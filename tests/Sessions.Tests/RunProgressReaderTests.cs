using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Progress by the run CSV.</summary>
public sealed class RunProgressReaderTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    public void Dispose() => File.Delete(_path);

    [Fact]
    public void Runs_are_counted_and_neither_the_header_nor_serializers_that_took_no_part()
    {
        File.Delete(_path);
        var reader = new RunProgressReader(_path);
        reader.Update();
        Assert.Equal((0, 0), (reader.Done, reader.Planned));

        using (var csv = new RunCsv(_path))
        {
            csv.WriteLeftOut("Ceras", "package not found\nin your feeds");
            reader.Update();
            Assert.Equal((0, 0), (reader.Done, reader.Planned));
        }

        File.AppendAllText(_path, "7,1,12,Json,,,Serialize,Measured\n7,2,12,Json,,,Serialize,Measured,\"first line\nof an error\"\n7,3,1");
        reader.Update();
        Assert.Equal((2, 12), (reader.Done, reader.Planned));
        File.AppendAllText(_path, "5,Json\n");
        reader.Update();
        Assert.Equal((3, 15), (reader.Done, reader.Planned));
    }
}
