using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using EtwSerializerProfiler.DumpHook;
using EtwSerializerProfiler.Sessions.Dumps;

namespace EtwSerializerProfiler.Sessions.Tests.Dumps;

/// <summary>The hook in a program, and the messages it sends.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class DumpHookTests : IDisposable
{
    private static readonly string s_program = Path.Combine(
        AppContext.BaseDirectory,
        "TestProgram" + (OperatingSystem.IsWindows() ? ".exe" : "")
    );

    private readonly string _root = Directory.CreateTempSubdirectory("esp-hook-").FullName;

    private string SocketPath => Path.Combine(_root, "s");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public void Settings_are_read_as_they_were_written()
    {
        var settings = new HookSettings(
            "/tmp/a b.sock",
            TimeSpan.FromSeconds(7),
            [new HookTrigger("A.B", "it's ~ a: text\n", 3), new HookTrigger("C", "", 1)]
        );

        Assert.True(HookSettings.TryParse(settings.ToString(), out var read));

        Assert.Equal((settings.Socket, settings.HoldLimit), (read.Socket, read.HoldLimit));
        Assert.Equal(
            [("A.B", "it's ~ a: text\n", 3), ("C", "", 1)],
            read.Triggers.Select(trigger => (trigger.TypeName, trigger.MessageText, trigger.Number))
        );
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("/tmp/x")]
    [InlineData("/tmp/x\u001e5")]
    [InlineData("/tmp/x\u001emany\u001eA\u001f\u001f1")]
    [InlineData("/tmp/x\u001e5\u001eA\u001f1")]
    [InlineData("\u001e5\u001eA\u001f\u001f1")]
    public void Settings_that_are_none_are_not_followed(string? text) => Assert.False(HookSettings.TryParse(text, out _));

    [Fact]
    public void Requests_are_read_as_they_were_written_and_cut_when_long()
    {
        var request = new HookRequest(1, 2, 3, 4, 5, 6, "A.B\nC", "two\nlines" + new string('x', 5000));

        var read = HookRequest.Read(request.ToBytes().AsSpan(4))!;

        Assert.Equal(
            (1, 2L, 3, 4, 5L, 6L, "A.B C"),
            (read.ProcessId, read.ThreadId, read.ManagedThreadId, read.Trigger, read.ThrowNumber, read.Ticks, read.ExceptionType)
        );
        Assert.StartsWith("two\nlinesx", read.Message, StringComparison.Ordinal);
        Assert.Equal(2000, read.Message.Length);
        Assert.Equal(request.ToBytes().Length - 4, BitConverter.ToInt32(request.ToBytes()));
        Assert.InRange(
            new HookRequest(1, 2, 3, 4, 5, 6, new string('é', 9999), new string('é', 9999)).ToBytes().Length,
            1,
            HookRequest.MaxBytes
        );
    }

    [Theory]
    [InlineData("")]
    [InlineData("esp-dump-0\n1\n2\n3\n4\n5\n6\nA\nm")]
    [InlineData("esp-dump-1\n1\n2\n3\n4\n5\n6\nA")]
    [InlineData("esp-dump-1\n1\n2\n3\n4\n5\nx\nA\nm")]
    [InlineData("esp-dump-1\n9999999999\n2\n3\n4\n5\n6\nA\nm")]
    public void An_invalid_request_is_ignored(string text) => Assert.Null(HookRequest.Read(System.Text.Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void The_users_own_hooks_stay_in_front()
    {
        var plan = new DumpPlan { Triggers = [Trigger("FormatException")] };

        Assert.Equal(DumpPlan.HookPath, plan.HookVariable(_ => null)!.Value);
        Assert.Equal(
            $"/mine.dll{Path.PathSeparator}{DumpPlan.HookPath}",
            plan.HookVariable(name => name == "DOTNET_STARTUP_HOOKS" ? "/mine.dll" : null)!.Value
        );
        Assert.Null(new DumpPlan { Triggers = [Trigger("memory>1")] }.HookVariable(_ => null));
        Assert.Equal("", DumpPlan.HookProblem(DumpPlan.HookPath));
        Assert.Contains("is missing", DumpPlan.HookProblem(Path.Combine(_root, "none.dll")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_recorder_a_program_goes_on_at_once()
    {
        Assert.Equal(2, (await RunAsync(TimeSpan.FromMinutes(10), "throwing", "2")).Count); // the limit is longer than a test may take
    }

    [Fact]
    public async Task A_recorder_that_goes_away_lets_the_thread_go_on()
    {
        using var listener = Listen();
        var running = RunAsync(TimeSpan.FromMinutes(10), "throwing", "2");
        using (var connection = await listener.AcceptAsync(TestContext.Current.CancellationToken))
        {
            Assert.Equal(4, await connection.ReceiveAsync(new byte[4], TestContext.Current.CancellationToken));
            Assert.False(running.IsCompleted);
        }

        Assert.Equal(2, (await running).Count);
    }

    [Fact]
    public async Task A_recorder_that_never_answers_holds_no_longer_than_the_limit()
    {
        using var listener = Listen();

        var throws = await RunAsync(TimeSpan.FromSeconds(1), "throwing", "2");

        Assert.True(Stopwatch.GetElapsedTime(throws[0].Start, throws[0].Stop) >= TimeSpan.FromSeconds(1));
        using var connection = await listener.AcceptAsync(TestContext.Current.CancellationToken);
        Assert.False(listener.Poll(0, SelectMode.SelectRead), "only the first throw was asked for");
    }

    [Fact]
    public async Task Exceptions_of_other_types_ask_nobody()
    {
        using var listener = Listen();

        await RunAsync(TimeSpan.FromMinutes(10), "storm", "50000");

        Assert.False(listener.Poll(0, SelectMode.SelectRead));
    }

    private Socket Listen()
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(SocketPath));
        socket.Listen(8);
        return socket;
    }

    private static DumpTrigger Trigger(string text) =>
        DumpTrigger.TryParse(text, out var trigger, out var error) ? trigger! : throw new ArgumentException(error);

    /// <summary>Runs the program with the hook; the numbers of each line it prints.</summary>
    private async Task<List<(long Start, long Stop)>> RunAsync(TimeSpan holdLimit, params string[] arguments)
    {
        var start = new ProcessStartInfo(s_program, arguments) { RedirectStandardOutput = true };
        start.Environment["DOTNET_ROOT"] = Path.GetFullPath(
            Path.Combine(System.Runtime.InteropServices.RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..")
        );
        start.Environment[DumpPlan.StartupHooks] = DumpPlan.HookPath;
        start.Environment[HookSettings.Variable] = new HookSettings(
            SocketPath,
            holdLimit,
            [new HookTrigger("System.FormatException", "", 1)]
        ).ToString();

        using var process = Process.Start(start)!;
        var output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal(0, process.ExitCode);
        return
        [
            .. output
                .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
                .Select(line => line.Split(' ').Select(number => long.Parse(number, CultureInfo.InvariantCulture)).ToList())
                .Select(numbers => (numbers[0], numbers[^1])),
        ];
    }
}
