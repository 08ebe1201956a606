using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class RecordedDumpTests
{
    private static readonly RecordedDump s_dump = new(
        "dumps/4711-1.dmp",
        4711,
        "System.FormatException~it's:2",
        "heap",
        5_000_000_000,
        5_001_000_000,
        5_420_000_000,
        1_000_000_000,
        64_000_000
    )
    {
        Held = true,
        ThreadId = 4712,
        ManagedThreadId = 4,
        ExceptionType = "System.FormatException",
        Message = "it's no number",
        ThrowNumber = 2,
        Note = "a note",
    };

    [Fact]
    public void Dumps_are_read_as_they_were_written()
    {
        using var folder = new TempFolder();
        var other = new RecordedDump("dumps/4711-2.dmp", 4711, "memory>500", "mini", 6, 7, 9, 10, 1);
        var recording = Some() with
        {
            Dumps = [s_dump, other],
            DumpsNotTaken = [new DumpNotTaken("gc-pause>50", "no GC paused longer than 12.5 ms")],
        };

        RecordingFile.Write(folder.Path, recording);

        var read = RecordingFile.Read(folder.Path);
        Assert.Equal([s_dump, other], read.Dumps);
        Assert.Equal(recording.DumpsNotTaken, read.DumpsNotTaken);
        Assert.Null(read.Dumps[1].ThreadId);
        Assert.Equal((420, 200), (read.Dumps[0].PauseMs, read.Dumps[1].PauseMs));
    }

    [Fact]
    public void Recordings_from_before_have_none()
    {
        using var folder = new TempFolder();
        RecordingFile.Write(folder.Path, Some());
        var path = Path.Combine(folder.Path, Recording.FileName);
        File.WriteAllText(
            path,
            File.ReadAllText(path)
                .Replace("\"dumps\": [],", "", StringComparison.Ordinal)
                .Replace("\"dumpsNotTaken\": []", "\"dumpsNotTaken\": null", StringComparison.Ordinal)
        );
        Assert.DoesNotContain("\"dumps\"", File.ReadAllText(path), StringComparison.Ordinal);

        var read = RecordingFile.Read(folder.Path);

        Assert.Empty(read.Dumps);
        Assert.Empty(read.DumpsNotTaken);
    }

    [Theory]
    [InlineData("../other.dmp")]
    [InlineData("dumps/../../other.dmp")]
    [InlineData("/etc/passwd")]
    [InlineData("clr.nettrace")]
    [InlineData("")]
    public void Dumps_lie_in_their_sub_folder(string outside)
    {
        using var folder = new TempFolder();
        RecordingFile.Write(folder.Path, Some() with { Dumps = [s_dump with { File = outside }] });

        var error = Assert.Throws<TraceFormatException>(() => RecordingFile.Read(folder.Path));

        Assert.Contains(Recording.FileName, error.Message, StringComparison.Ordinal);
        Assert.Contains("sub-folder 'dumps'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_clock_without_ticks_is_refused()
    {
        using var folder = new TempFolder();
        RecordingFile.Write(folder.Path, Some() with { Dumps = [s_dump with { TicksPerSecond = 0 }] });

        Assert.Contains(
            "ticks per second",
            Assert.Throws<TraceFormatException>(() => RecordingFile.Read(folder.Path)).Message,
            StringComparison.Ordinal
        );
    }

    private static Recording Some() =>
        new(
            Recording.CurrentSchema,
            "1.0",
            new DateTime(2026, 11, 22, 8, 0, 0, DateTimeKind.Utc),
            1,
            Complete: true,
            "",
            ["x"],
            "/",
            BuiltInSuite: false,
            new RecordingHost("m", "Linux", "X64", "", 2, 1),
            [],
            [],
            "",
            []
        );
}
