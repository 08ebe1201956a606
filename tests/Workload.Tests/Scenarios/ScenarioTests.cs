using System.Runtime.InteropServices;
using System.Text;
using CsvHelper;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Scenarios;

namespace EtwSerializerProfiler.Workload.Tests.Scenarios;

/// <summary>Real runs of each scenario with small sizes.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ScenarioTests : IDisposable
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();
    private readonly string _csv = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());

    public void Dispose()
    {
        File.Delete(_csv);
        _output.Dispose();
        _error.Dispose();
    }

    [Fact]
    public void Every_listed_scenario_can_be_made_and_has_its_name() =>
        Assert.All(ScenarioCatalog.All, entry => Assert.Equal(entry.Name, ScenarioList.Create(entry.Name, new SuiteOptions()).Name));

    [Fact]
    public void Base64_reads_the_same_bytes_with_and_without_line_breaks()
    {
        var finding = Run(new Base64Scenario(dataBytes: 10_000, reads: 3));

        Assert.NotEqual(Verdict.Undecided, finding.Verdict);
        Assert.Equal(2 + 6, Lines().Length); // the input, the header, the rows
        Assert.Equal(6 * 3, Rows().Count(row => row["kind"] == nameof(RunKind.Measured)));
        Assert.Contains(
            Rows(),
            row => row["serializer"] == "DataContract byte[], line breaks" && row["operation"] == RunOperation.Deserialize
        );
    }

    [Fact]
    public void Base64_text_is_broken_after_73_characters_and_nowhere_else()
    {
        var with = Encoding.UTF8.GetString(Base64Scenario.Xml(new byte[300], lineBreaks: true));
        Assert.Equal(
            Encoding.UTF8.GetString(Base64Scenario.Xml(new byte[300], lineBreaks: false)),
            with.Replace("\r\n", "", StringComparison.Ordinal)
        );
        Assert.Equal(
            [73, 73, 73, 73, 73, 35],
            with.Split("<Data>")[1].Split("</Data>")[0].Split("\r\n").SkipLast(1).Select(line => line.Length)
        );
    }

    [Fact]
    public void Contention_counts_requests_of_all_threads()
    {
        Run(new ContentionScenario(TimeSpan.FromMilliseconds(50), objects: 10, threads: [1, 2]));

        Assert.Equal(["1", "2", "1", "2"], Rows().Where(row => row["kind"] == nameof(RunKind.Measured)).Select(row => row["threads"]));
        Assert.Equal(4, Lines().Count(line => line.StartsWith("DataContract", StringComparison.Ordinal)));
    }

    [Fact]
    public void Requests_that_fail_are_said_and_the_rest_of_the_threads_ends()
    {
        using var load = new ContentionLoad(3, TimeSpan.FromMinutes(10), () => () => throw new InvalidOperationException("no"));
        load.Prepare();
        Assert.Equal("no", Assert.Throws<InvalidOperationException>(load.Run).Message);
    }

    [Theory]
    [InlineData(50, 2)]
    [InlineData(75, 3)]
    [InlineData(95, 4)]
    [InlineData(1, 1)]
    [InlineData(100, 4)]
    public void Percentiles_are_those_of_the_nearest_rank(double percent, double expected) =>
        Assert.Equal(expected, ContentionLoad.Percentile([1, 2, 3, 4], percent));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Growth_is_measured_here_or_in_processes_without_and_with_the_switch(bool ownProcesses)
    {
        var finding = Run(new QuadraticScenario([100, 200], ownProcesses));

        Assert.NotEqual(Verdict.Undecided, finding.Verdict);
        Assert.Equal(ownProcesses ? 8 : 4, Lines().Count(line => line.StartsWith(QuadraticScenario.Plain, StringComparison.Ordinal)));
        Assert.Equal(ownProcesses, finding.Sentence.Contains(QuadraticScenario.Switched, StringComparison.Ordinal));
    }

    [Fact]
    public void Graphs_are_tried_in_processes_of_their_own_with_and_without_tracking()
    {
        var finding = Run(
            new GraphScenario([new NamePattern("DataContract", Exact: true), new NamePattern("SystemTextJson", Exact: true)], [3, 200])
        );

        Assert.Equal(Verdict.NotPresent, finding.Verdict);
        var lines = Lines();
        Assert.Matches(@"^DataContract +chain 200 +ok", lines[3]);
        Assert.Matches(@"^DataContract +ring +refused +Serialize: System\.Runtime\.Serialization\.SerializationException", lines[4]);
        Assert.Matches(@"^DataContract \+references +ring +ok", lines[7]);
        Assert.Matches(@"^SystemTextJson +chain 3 +ok", lines[8]);
        Assert.Matches(@"^SystemTextJson +chain 200 +refused +Serialize: System\.Text\.Json\.JsonException", lines[9]);
        Assert.Contains(Rows(), row => row["serializer"] == "SystemTextJson +references, ring" && row["error"].Length == 0);
    }

    [Fact]
    public void A_stack_overflow_is_a_row()
    {
        var finding = Run(new GraphScenario([new NamePattern("DataContractBinaryXml", Exact: true)], [50_000]));

        Assert.Equal(Verdict.Present, finding.Verdict);
        Assert.Contains(
            Lines(),
            line =>
                line.StartsWith("DataContractBinaryXml ", StringComparison.Ordinal)
                && line.Contains("crashed    Serialize: stack overflow", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Large_cases_run_in_processes_and_are_left_out_without_memory()
    {
        Run(
            new LargeScenario(
                objects: 1_000,
                valueBytes: 1_000,
                ["one byte[]: SystemTextJson", "BinaryFormatter, many objects", "ObjectIDGenerator, many objects"],
                seconds: (int)Wait.Limit.TotalSeconds,
                available: long.MaxValue
            )
        );
        Assert.Equal(3, Lines().Count(line => line.Contains("  ok  ", StringComparison.Ordinal)));
        Assert.Equal(4, Rows().Count); // the value is written and read

        var finding = Run(new LargeScenario(cases: ["BinaryFormatter, many objects"], available: 1_000_000_000));
        Assert.Equal(Verdict.Undecided, finding.Verdict);
        Assert.Contains("more than half of the available 1,000 MB", finding.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void An_array_that_is_too_long_is_refused_in_words()
    {
        Run(new LargeScenario(cases: ["byte[] of 2,147,483,592"], seconds: (int)Wait.Limit.TotalSeconds, available: long.MaxValue));
        Assert.Contains(Lines(), line => line.Contains("refused    System.OutOfMemoryException", StringComparison.Ordinal));
    }

    [Fact]
    public void Survivors_are_a_row_each()
    {
        var finding = Run(new GcScenario([0, 1], runs: 2, objects: 50));

        Assert.Contains("with 1 MB", finding.Sentence, StringComparison.Ordinal);
        Assert.Equal(
            ["DataContractBinaryXml, 0 MB live", "DataContractBinaryXml, 1 MB live"],
            Rows().Where(row => row["kind"] == nameof(RunKind.Measured)).Select(row => row["serializer"]).Distinct()
        );
    }

    [Fact]
    public void A_watch_sees_GCs()
    {
        using var watch = new GcWatch();
        for (var i = 0; i < 100 && watch.Seen == 0; i++)
        {
            GC.Collect(1);
            GC.WaitForPendingFinalizers();
        }

        Assert.True(watch.Seen > 0);
    }

    [Fact]
    public void Exceptions_are_counted_and_values_come_back()
    {
        var finding = Run(new ExceptionScenario(values: 200, runs: 2));

        Assert.NotEqual(Verdict.Undecided, finding.Verdict);
        Assert.Contains("a read with 100 exceptions", finding.Sentence, StringComparison.Ordinal);
        Assert.Equal(
            [0, 2, 20, 100],
            new[] { 0, 1, 10, 50 }.Select(percent => ExceptionScenario.Values(200, percent).Count(value => value is string))
        );
    }

    [Fact]
    public void A_row_that_fails_does_not_stop_the_others_and_a_stop_does()
    {
        using var stop = new CancellationTokenSource();
        using var clock = new RunClock();
        var context = Context(clock, null, stop.Token);
        var table = new ScenarioTable(_output, ("Name", 6));

        Assert.True(context.Row(table, "first", () => throw new InvalidOperationException("no")));
        Assert.True(context.Row(table, "second", () => table.Write("second")));
        stop.Cancel();
        Assert.False(context.Row(table, "third", () => table.Write("third")));
        Assert.Equal(["Name", "second"], Lines());
        Assert.Equal((1, "error: first: System.InvalidOperationException: no"), (context.Errors, _error.ToString().Trim()));
        Assert.Equal(Verdict.Undecided, new Base64Scenario(10, 1).Run(context).Verdict);
    }

    [Fact]
    public void Available_memory_is_read_from_meminfo()
    {
        Assert.Equal(22_546L * 1024, AvailableMemory.Parse(["MemTotal:       24682024 kB", "MemAvailable:      22546 kB"]));
        Assert.Null(AvailableMemory.Parse(["MemTotal: 1 kB"]));
        Assert.True(AvailableMemory.Bytes() > 0);
    }

    private Finding Run(Scenario scenario)
    {
        using var clock = new RunClock();
        using var csv = new RunCsv(_csv);
        var finding = scenario.Run(Context(clock, csv, CancellationToken.None));
        Assert.Empty(_error.ToString());
        return finding;
    }

    private ScenarioContext Context(RunClock clock, RunCsv? csv, CancellationToken stop)
    {
        // None of the processes hangs: the scenario's own limit would only say how busy the machine is.
        var host = Path.GetFullPath(
            Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet")
        );
        return new ScenarioContext(
            clock,
            csv,
            csv is null ? null : _csv,
            _output,
            _error,
            _ => new ChildProcess(host, [Path.Combine(AppContext.BaseDirectory, "esp-workload.dll")], Wait.Limit),
            stop
        );
    }

    private string[] Lines() => _output.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);

    private List<Dictionary<string, string>> Rows()
    {
        using var reader = CsvReader.FromFile(_csv, CsvReaderOptions.Default);
        var rows = new List<Dictionary<string, string>>();
        while (reader.Read())
            rows.Add(RunCsv.Columns.ToDictionary(column => column, reader.GetString));
        return rows;
    }
}
