using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Requests;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Records a web service that sends requests to itself (TestWebProgram) and compares requests by route with the program's own clock.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ServedRequestTests : IDisposable
{
    private const int Rounds = 30;

    private static readonly string s_dotnet = Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));

    private readonly string _root = Directory.CreateTempSubdirectory("esp-requests-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    /// <summary>A request lasts longer than its handler, and ends before its connection serves the next one.</summary>
    [Fact]
    public async Task Requests_by_route_are_those_of_the_programs_own_clock()
    {
        var (read, truth) = await RecordAsync(requests: true);
        var result = RequestAnalysis.Run(
            read.Processes,
            RunAnalysis.Run(read.Processes, []).Runs,
            new EventQuery(new RunFilter(), null),
            SymbolFiles.Of(read)
        );

        Assert.Equal(0, result.Unpaired);
        var served = Rows(RequestSide.Served);
        var sent = Rows(RequestSide.Sent);
        foreach (
            var (key, route, sentRoute, status) in (ReadOnlySpan<(string, string, string, int)>)
                [
                    ("sleep", "GET /sleep/{ms}/of/{name}", "GET /sleep/{n}/of/night", 200),
                    ("echo", "POST /echo", "POST /echo", 200),
                    ("renamed", "GET /renamed", "GET /renamed", 200),
                    ("fails", "GET /fails", "GET /fails", 500),
                    ("missing", "GET /missing/{n}", "GET /missing/{n}", 404),
                ]
        )
        {
            foreach (var row in (RequestRow[])[served[route], sent[sentRoute]])
            {
                Assert.Equal((Rounds, status == 500 ? Rounds : 0, 0), (row.Count, row.Failed, row.Open));
                Assert.Equal([(status, Rounds)], row.Statuses);
                Assert.InRange(row.MedianMs!.Value, 0, row.P95Ms!.Value);
                Assert.InRange(row.P95Ms!.Value, row.MedianMs!.Value, row.MaxMs!.Value);
            }

            Assert.InRange(served[route].TotalMs, truth[$"{key}.handlerMs"], truth[$"{key}.untilNextMs"]);
            Assert.InRange(sent[sentRoute].TotalMs, truth[$"{key}.handlerMs"], truth[$"{key}.clientMs"]);
        }

        // The last one has no next.
        Assert.Equal((Rounds + 1, Rounds + 1), (served["GET /items/{id}"].Count, sent["GET /items/{n}"].Count));
        Assert.InRange(served["GET /sleep/{ms}/of/{name}"].MedianMs!.Value, 10, served["GET /sleep/{ms}/of/{name}"].MaxMs!.Value);
        Assert.Equal((0, 1, null), (served["GET /hangs"].Count, served["GET /hangs"].Open, served["GET /hangs"].MedianMs));
        Assert.Equal(1, sent["GET /hangs"].Open);
        Assert.Equal(7, served.Count);

        Dictionary<string, RequestRow> Rows(RequestSide side) =>
            result
                .AllRows.Where(row => row.Side == side)
                .ToDictionary(row =>
                    side == RequestSide.Sent
                        ? row.Name[..(row.Name.IndexOf(' ', StringComparison.Ordinal) + 1)]
                            + row.Name[row.Name.IndexOf('/', StringComparison.Ordinal)..]
                        : row.Name
                );
    }

    /// <summary>No header or query that the program did not send.</summary>
    [Fact]
    public async Task Recorded_requests_carry_no_more_headers_and_no_query_is_kept()
    {
        var (read, truth) = await RecordAsync(requests: true);

        Assert.Equal(0, truth["traced"]);
        Assert.DoesNotContain(
            "secret",
            System.Text.Encoding.Unicode.GetString(
                await File.ReadAllBytesAsync(read.Processes[0].Sources[0].Name, TestContext.Current.CancellationToken)
            ),
            StringComparison.Ordinal
        );
    }

    /// <summary>
    /// The C library's send and recv keep no frame pointer, and the stubs that call them have no name: the copied stack gives the callers
    /// through both.
    /// </summary>
    [Fact]
    public async Task Stacks_of_system_calls_do_not_end_in_the_stubs_that_make_them()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        var (read, _) = await RecordAsync(
            requests: false,
            PerfEventPlan.Create(PerfEventScope.Launch, sampleRateHz: 10_000, stackDumpBytes: PerfEventPlan.ProgramStackDumpBytes)
        );
        var cpu = CpuAnalysis.Run(
            read.Processes,
            RunAnalysis.Run(read.Processes, []).Runs,
            new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null) { Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null) },
            SymbolFiles.Of(read)
        );

        // The runtime does not report these stubs; the assembly names them. Depth 0 and 1: roots of the tree, and below the root of broken
        // stacks the frames in which these end.
        var stubs = cpu.Tree!.Where(row =>
                row.Module == "System.Net.Sockets.dll" && row.Name.StartsWith("Interop+Sys.", StringComparison.Ordinal)
            )
            .ToList();
        Assert.NotEmpty(stubs);
        Assert.DoesNotContain(stubs, stub => stub.Depth <= 1);
    }

    /// <summary>
    /// ASP.NET Core compiles an expression for each endpoint, a dynamic method into which the JIT inlines the program's lambda: the lambda
    /// waits, not the expression.
    /// </summary>
    [Fact]
    public async Task A_sleep_in_an_endpoint_is_that_of_the_programs_lambda()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        Assert.SkipUnless(
            PerfEventPermissions.Read().Kernel,
            "stacks of context switches need root, CAP_PERFMON or kernel.perf_event_paranoid=1"
        );
        var (read, truth) = await RecordAsync(
            requests: false,
            PerfEventPlan.Create(PerfEventScope.Launch, switchStackBytes: PerfEventPlan.DefaultSwitchStackBytes)
        );
        var waits = WaitAnalysis.Run(
            read.Processes,
            RunAnalysis.Run(read.Processes, []).Runs,
            new EventQuery(new RunFilter(), null),
            SymbolFiles.Of(read)
        );

        // The third lambda of the program's source. Its sleeps are at least as long as requested.
        var sleeps = waits.Sites.Where(site => site.Reason == WaitReason.Sleep && site.Own is not null).ToList();
        Assert.Equal(["Program.Main (lambda 3)"], sleeps.Select(site => SourceName.Of(site.Own!.Value.Name)).Distinct());
        Assert.InRange(sleeps.Sum(site => site.Ms), 10 * Rounds, truth["sleep.handlerMs"]);
    }

    [Fact]
    public async Task Requests_that_are_left_out_are_not_recorded()
    {
        var (read, _) = await RecordAsync(requests: false);

        Assert.Equal(EventKinds.None, read.Processes[0].Kinds & EventKinds.Requests);
        Assert.Throws<NotRecordedException>(() =>
            RequestAnalysis.Run(
                read.Processes,
                RunAnalysis.Run(read.Processes, []).Runs,
                new EventQuery(new RunFilter(), null),
                SymbolFiles.Of(read)
            )
        );
    }

    private async Task<(TraceInput Read, Dictionary<string, double> Truth)> RecordAsync(bool requests, KernelPlan? kernel = null)
    {
        Assert.SkipUnless(
            Directory.Exists(Path.Combine(s_dotnet, "shared", "Microsoft.AspNetCore.App")),
            $"ASP.NET Core is not installed in {s_dotnet}"
        );
        var program = Path.Combine(
            AppContext.BaseDirectory,
            "..",
            "..",
            "TestWebProgram",
            new DirectoryInfo(AppContext.BaseDirectory).Name,
            "TestWebProgram"
        );
        var sessions = EventPipePlan.Create(
            kernel is null ? [EventPipePlan.ClrSession] : EventPipePlan.SessionNames,
            AllocationEvents.None,
            inlineeTypes: false,
            requests: requests
        );
        using var output = new StringWriter();
        var recorded = await RecordingRunner
            .RunAsync(
                new RecordOptions
                {
                    Command = [Path.GetFullPath(program), Rounds.ToString(CultureInfo.InvariantCulture)],
                    Environment = new Dictionary<string, string?> { ["DOTNET_ROOT"] = s_dotnet },
                    Folder = Path.Combine(_root, "recording"),
                    Sessions = sessions,
                    Variables = RuntimeVariables.Create(sessions, jitAll: false, _ => null, dynamicMethods: true),
                    Kernel = kernel,
                    ToolVersion = "test",
                    Output = output,
                },
                progress: null,
                TestContext.Current.CancellationToken
            )
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
        Assert.Equal(0, recorded.ExitCode);
        var truth = output
            .ToString()
            .Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.Split(' '))
            .ToDictionary(words => words[0], words => double.Parse(words[1], CultureInfo.InvariantCulture));
        return (TraceInputReader.Open([recorded.Folder]), truth);
    }
}
