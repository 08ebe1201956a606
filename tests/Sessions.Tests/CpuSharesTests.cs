using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Records a program of known shape with both halves and compares the samples with its own clock.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class CpuSharesTests : IDisposable
{
    private const int CpuMilliseconds = 1500;

    private readonly string _root = Directory.CreateTempSubdirectory("esp-cpu-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Shares_of_methods_are_those_of_the_threads_clock()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        using var output = new StringWriter();
        var recorded = await RecordAsync(output, "shares", CpuMilliseconds.ToString(CultureInfo.InvariantCulture));
        var words = output.ToString().Split([' ', '\n', '\r'], StringSplitOptions.RemoveEmptyEntries);
        var (more, less) = (
            double.Parse(words[1], CultureInfo.InvariantCulture) / 1e6,
            double.Parse(words[3], CultureInfo.InvariantCulture) / 1e6
        );

        var input = TraceInputReader.Open([recorded.Folder]);
        var runs = RunAnalysis.Run(input.Processes, []).Runs;
        var files = new SymbolFiles(
            recorded.Recording.Host.MachineName,
            recorded.Recording.StartedUtc,
            TimeSpan.FromMilliseconds(recorded.Recording.DurationMs)
        );
        var methods = CpuAnalysis.Run(input.Processes, runs, new CpuQuery(CpuGrouping.Method, true, new RunFilter(), null), files);

        // Shares of the sum of both.
        var (inMore, inLess) = (Samples(methods, "Shares.SpinMore"), Samples(methods, "Shares.SpinLess"));
        var (n, share) = (inMore + inLess, more / (more + less));
        Assert.InRange((double)inMore / n, share - Chance.OfShare(share, n), share + Chance.OfShare(share, n));

        // Both spin in one method, which has the samples of both.
        var spin = Assert.Single(methods.Rows, row => row.Name == "ThreadClock.Spin");
        Assert.InRange(spin.InclusiveSamples, n - 5, n + 5);
        Assert.InRange(Samples(methods, "Shares.SleepThrough"), 0, 0.01 * n); // falling asleep takes some time, too
        Assert.True(methods.NamedManagedPercent > 95, $"{methods.NamedManagedPercent} % of {methods.ManagedLeaves} managed leafs named");
        Assert.InRange(methods.Percent(methods.BrokenStacks)!.Value, 0, 10);

        var threads = CpuAnalysis.Run(input.Processes, runs, new CpuQuery(CpuGrouping.Thread, false, new RunFilter(), null), files);
        Assert.InRange(threads.Rows[0].Percent, 90, 100);
        // Starting, falling asleep and ending.
        Assert.InRange(threads.Rows.Where(row => row.Name == "sleeper").Sum(row => row.Samples), 0, 0.01 * n);
    }

    [Fact]
    public async Task A_child_that_makes_no_runs_is_found_by_its_id_and_with_its_parent_by_their_name()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        using var output = new StringWriter();
        var recorded = await RecordAsync(output, "spawn", "spin", "300", "1");
        var input = TraceInputReader.Open([recorded.Folder]);
        var runs = RunAnalysis.Run(input.Processes, []).Runs;
        var files = new SymbolFiles(
            recorded.Recording.Host.MachineName,
            recorded.Recording.StartedUtc,
            TimeSpan.FromMilliseconds(recorded.Recording.DurationMs)
        );

        var both = CpuAnalysis.Run(input.Processes, runs, Query("TestProgram"), files);
        Assert.Equal(2, both.Processes.Count);
        var parent = input.Processes.Single(process => process.Sources.Count > 0).ProcessId;
        var child = both
            .Processes.Select(process => process.Split(' ')[^1])
            .Single(id => id != parent.ToString(CultureInfo.InvariantCulture));
        var spinning = CpuAnalysis.Run(input.Processes, runs, Query(child), files);
        Assert.True(spinning.Samples > 0);
        Assert.Contains($"methods of process {child} have no names", string.Join("; ", spinning.SymbolProblems), StringComparison.Ordinal);
        Assert.True(both.Samples > spinning.Samples);
        Assert.Contains(
            $"TestProgram {child} (",
            Assert.Throws<UnknownProcessException>(() => CpuAnalysis.Run(input.Processes, runs, Query("none"), files)).Message,
            StringComparison.Ordinal
        );

        static CpuQuery Query(string process) => new(CpuGrouping.Thread, false, new RunFilter(), null) { Process = process };
    }

    private Task<RecordingResult> RecordAsync(StringWriter output, params string[] arguments) =>
        BothHalves.RecordAsync(_root, output, new Dictionary<string, string>(), arguments);

    private static long Samples(CpuResult result, string method) =>
        result.Rows.Where(row => row.Name == method).Sum(row => row.InclusiveSamples);
}
