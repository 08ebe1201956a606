using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Exceptions;

/// <summary>Patterns, throw stacks, single runs and dumps of made-up exceptions.</summary>
public sealed class ExceptionGroupingTests
{
    private const ulong Throw = 0x1000;
    private const ulong Parse = 0x2000;
    private const ulong Read = 0x3000;
    private const ulong Fill = 0x4000;

    [Fact]
    public void Messages_of_one_pattern_are_one_row_and_each_throw_stack_is_reported()
    {
        var result = Analyze(
            Trace()
                .Throw(1100, "E", "'a' at 1", 0, stack: [Throw + 1, Parse + 1, Read + 1])
                .Throw(1200, "E", "'b' at 2", 0, stack: [Throw + 1, Parse + 1, Read + 1])
                .Throw(1300, "E", "'c' at 3", 0, stack: [Throw + 1, Parse + 1, Fill + 1])
                .Throw(5100, "E", "'d' at 4", 0, stack: [Throw + 1, Parse + 1, Read + 1])
                .Throw(5200, "E", "other", 0, stack: [Throw + 1, Parse + 1, Read + 1])
        );

        Assert.Equal(
            [("'{value}' at {n}", "Lib.Parse", 4L, 2.0, 2), ("other", "Lib.Parse", 1, 0.5, 1)],
            result.Rows.Select(row => (row.Pattern, row.Method!.Value.Name, row.Count, row.PerRun, row.Stacks!.Value))
        );
        Assert.All(result.Rows, row => Assert.Null(row.RunId));
        Assert.Equal(
            [
                (3L, "'{value}' at {n}", "System.Runtime.EH.Throw<Lib.Parse<Lib.Read"),
                (1, "'{value}' at {n}", "System.Runtime.EH.Throw<Lib.Parse<Lib.Fill"),
                (1, "other", "System.Runtime.EH.Throw<Lib.Parse<Lib.Read"),
            ],
            result.Stacks.Select(stack =>
                (stack.Count, stack.Row.Pattern, string.Join('<', stack.Frames.Select(frame => frame.Method.Name)))
            )
        );
        Assert.Empty(result.Problems);
    }

    [Fact]
    public void Each_run_by_itself()
    {
        var result = Analyze(
            Trace().Throw(1100, "E", "1", 0).Throw(5100, "E", "2", 0).Throw(5200, "E", "3", 0),
            grouping: ExceptionGrouping.Run
        );

        Assert.Equal([(2, 2L, 2.0), (1, 1, 1)], result.Rows.Select(row => (row.RunId!.Value, row.Count, row.PerRun)));
        Assert.All(result.Rows, row => Assert.Equal(SyntheticTrace.Process, row.Process!.Value.ProcessId));
        Assert.All(result.Rows, row => Assert.Null(row.Stacks)); // they have no frames
        Assert.Empty(result.Stacks);
    }

    /// <summary>
    /// The dump belongs to the throw of its type and message on its thread that is nearest to the moment; the dump's time may lie between
    /// the throw and its event.
    /// </summary>
    [Theory]
    [InlineData(1_199_900, 1_199_900, false, "b")] // the event is after the moment
    [InlineData(1_200_100, 1_290_000, true, "b")] // held: before the moment
    [InlineData(1_150_000, 1_199_999, true, "b")] // held: after the dump
    [InlineData(1_310_000, 1_320_000, true, "c")]
    [InlineData(901_000, 901_000, false, null)] // the throw before the run
    [InlineData(5_200_000_000, 5_200_000_000, false, null)] // more than a second away
    public void A_dump_belongs_to_the_throw_at_its_moment(long moment, long stop, bool held, string? row)
    {
        var trace = Trace()
            .Throw(900, "E", "same", 0, stack: Read + 1)
            .Throw(1100, "E", "same", 0, stack: Parse + 1)
            .Throw(1200, "E", "same", 0, stack: Read + 1)
            .Throw(1300, "E", "same", 0, stack: Fill + 1)
            .Throw(1199, "E", "same", 0, thread: 9, stack: Parse + 1)
            .Throw(1200.05, "F", "same", 0, stack: Parse + 1)
            .Throw(1200.06, "E", "other", 0, stack: Parse + 1);
        var dump = new RecordedDump("dumps/1.dmp", SyntheticTrace.Process, "E", "heap", moment, moment, stop, 1_000_000_000, 1)
        {
            Held = held,
            ExceptionType = "E",
            Message = "same",
            ThreadId = SyntheticTrace.Main,
        };

        var dumped = Analyze(
            trace,
            [dump, dump with { ProcessId = 5, File = "other process" }, dump with { ExceptionType = "", File = "no exception" }]
        )
            .Rows.Where(item => item.Dumps.Count > 0)
            .ToList();

        Assert.Equal(row is null ? [] : [row == "b" ? "Lib.Read" : "Lib.Fill"], dumped.Select(item => item.Method!.Value.Name));
        Assert.All(dumped, item => Assert.Equal(["dumps/1.dmp"], item.Dumps));
    }

    /// <summary>Ticks of a dump's clock are turned into those of the trace's.</summary>
    [Fact]
    public void Clocks_of_dumps_may_tick_slower()
    {
        var dump = new RecordedDump("dumps/1.dmp", SyntheticTrace.Process, "E", "heap", 12_000, 12_000, 12_000, 10_000_000, 1)
        {
            ExceptionType = "E",
        };
        Assert.Equal(["dumps/1.dmp"], Assert.Single(Analyze(Trace().Throw(1200, "E", "x", 0), [dump]).Rows).Dumps);
    }

    [Fact]
    public void Too_many_patterns_are_one_row_and_that_is_said()
    {
        var trace = Trace();
        for (var i = 0; i < 10_010; i++)
            trace.Throw(1100 + (i * 0.01), "E", Name(i), 0);

        var result = Analyze(trace);

        Assert.Equal(("(other messages)", 10L), (result.Rows[0].Pattern, result.Rows[0].Count));
        Assert.Equal(10_001, result.RowsTotal);
        Assert.Contains("10,000 patterns", Assert.Single(result.Problems), StringComparison.Ordinal);

        static string Name(int number) =>
            string.Concat(number.ToString(System.Globalization.CultureInfo.InvariantCulture).Select(digit => (char)('k' + (digit - '0'))));
    }

    private static SyntheticTrace Trace() =>
        new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Run(2, 5000, 6000)
            .Module("/app/Lib.dll")
            .Code(1, Throw, "System.Runtime.EH", "Throw", 1)
            .Code(1, Parse, "Lib", "Parse", 2)
            .Code(1, Read, "Lib", "Read", 3)
            .Code(1, Fill, "Lib", "Fill", 4);

    private static ExceptionResult Analyze(
        SyntheticTrace trace,
        IReadOnlyList<RecordedDump>? dumps = null,
        ExceptionGrouping grouping = ExceptionGrouping.Method
    )
    {
        IReadOnlyList<TracedProcess> processes = [new TracedProcess(trace.ProcessId, "program", ".NET 10.0", [trace], [])];
        var recording = new Recording(
            1,
            "test",
            DateTime.UnixEpoch,
            0,
            true,
            "",
            [],
            "",
            false,
            new RecordingHost("elsewhere", "Linux", "X64", "", 2, 0),
            [],
            [],
            "",
            []
        )
        {
            Dumps = dumps ?? [],
        };
        return ExceptionAnalysis.Run(
            processes,
            RunAnalysis.Run(processes, []).Runs,
            new EventQuery(new RunFilter(), null),
            new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero),
            [new InputRecording("", "", recording)],
            grouping
        );
    }
}
