using System.Text;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class RedactionTests
{
    private const string Secret = "hunter2";

    [Theory]
    [InlineData("(?<=--password[= ])\\S+", "app --password hunter2 -v", "app --password *** -v")]
    [InlineData("(?<=--password[= ])\\S+", "app --password=hunter2 -v", "app --password=*** -v")]
    [InlineData("hunter2", "hunter2 ahunter2b hunter", "*** a***b hunter")]
    [InlineData("d \\w", "a d hello", "a *** ***ello")]
    [InlineData("x*", "app", "app")]
    public void Matches_are_replaced_within_their_arguments(string pattern, string command, string expected) =>
        Assert.Equal(expected.Split(' '), Of(pattern).Of(command.Split(' ')));

    [Fact]
    public void Of_a_variable_only_the_value_is_replaced()
    {
        Assert.Equal("***", Of("TOKEN=.*").Of("TOKEN", Secret));
        Assert.Equal("a***c", Of("b").Of("b", "abc"));
        Assert.Equal("abc", Of("TOKEN=.*").Of("OTHER", "abc"));
    }

    [Fact]
    public void A_pattern_that_takes_too_long_hides_everything()
    {
        var slow = new Redaction([new("(a+)+$", System.Text.RegularExpressions.RegexOptions.None, TimeSpan.FromTicks(1))]);

        Assert.Equal(["***", "***"], slow.Of(["app", new string('a', 40) + "b"]));
    }

    /// <summary>However the stream is cut into blocks, the text is hidden and no other byte changes.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(1000)]
    public async Task In_a_trace_the_argument_keeps_its_length(int block)
    {
        byte[] Trace(string secret) =>
            [
                1,
                2,
                3,
                .. Encoding.Unicode.GetBytes($"app --password {secret} x{Secret}y\0"),
                0xff,
                .. Encoding.Unicode.GetBytes($"\0{secret}\0"),
                5,
            ];
        using var file = new MemoryStream();
        await using (var trace = Of(Secret).Of(file, ["app", "--password", Secret]))
        {
            foreach (var part in Trace(Secret).Chunk(block))
                await trace.WriteAsync(part, TestContext.Current.CancellationToken);
        }

        Assert.Equal(Trace("*******"), file.ToArray());
    }

    [Fact]
    public void A_trace_of_a_process_without_a_match_is_the_file_itself()
    {
        using var file = new MemoryStream();
        Assert.Same(file, Of("nothing").Of(file, ["app"]));
        Assert.Same(file, Redaction.None.Of(file, ["app"]));
    }

    [Fact]
    [Trait(TestKind.Trait, TestKind.Records)]
    public async Task No_file_of_a_recording_has_the_secret()
    {
        var root = Directory.CreateTempSubdirectory("esp-test-").FullName;
        try
        {
            var options = new RecordOptions
            {
                Command =
                [
                    Path.Combine(AppContext.BaseDirectory, "TestProgram" + (OperatingSystem.IsWindows() ? ".exe" : "")),
                    "runs",
                    "3",
                    Path.Combine(root, "runs.csv"),
                    "--password",
                    Secret,
                ],
                Folder = Path.Combine(root, "r"),
                Sessions = EventPipe.EventPipePlan.Create(["clr", "code"], EventPipe.AllocationEvents.None),
                Variables = [new RuntimeVariable("ESP_TOKEN", Secret, SetByUser: false, "a test")],
                ToolVersion = "1.0",
                Redaction = Of(Secret),
            };

            var result = await RecordingRunner.RunAsync(options, progress: null, TestContext.Current.CancellationToken);

            Assert.Equal((0, true), (result.ExitCode, result.Recording.Complete));
            Assert.Equal(["--password", Redaction.Replacement], result.Recording.Command.TakeLast(2));
            Assert.EndsWith($"--password {Redaction.Replacement}", result.Recording.Processes[0].CommandLine, StringComparison.Ordinal);
            Assert.Equal(Redaction.Replacement, result.Recording.Variables[0].Value);
            foreach (var file in Directory.GetFiles(options.Folder))
            {
                var bytes = FileContent.Read(file);
                Assert.False(
                    bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(Secret)) >= 0
                        || bytes.AsSpan().IndexOf(Encoding.Unicode.GetBytes(Secret)) >= 0,
                    file
                );
            }

            Assert.Contains(
                result.Recording.Processes[0].Sessions,
                session =>
                    FileContent
                        .Read(Path.Combine(options.Folder, session.File))
                        .AsSpan()
                        .IndexOf(Encoding.Unicode.GetBytes("--password *******")) >= 0
            );
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }

    private static Redaction Of(string pattern) => new([Redaction.Parse(pattern)]);
}
