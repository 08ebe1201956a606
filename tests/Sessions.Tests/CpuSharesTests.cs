using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
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

        // The compiler's thread then has a fifth of the samples on an idle machine, too; on a loaded one it may have as many without.
        var variables = new Dictionary<string, string> { ["DOTNET_TC_CallCountingDelayMs"] = "1", ["DOTNET_TC_CallCountThreshold"] = "2" };
        var recorded = await BothHalves.RecordAsync(
            _root,
            output,
            variables,
            "shares",
            CpuMilliseconds.ToString(CultureInfo.InvariantCulture)
        );
        var words = output.ToString().Split([' ', '\n', '\r'], StringSplitOptions.RemoveEmptyEntries);
        var ms = words.Chunk(2).ToDictionary(pair => pair[0], pair => double.Parse(pair[1], CultureInfo.InvariantCulture) / 1e6);

        var input = TraceInputReader.Open([recorded.Folder]);
        var runs = RunAnalysis.Run(input.Processes, []).Runs;
        var files = SymbolFiles.Of(input);
        var methods = CpuAnalysis.Run(input.Processes, runs, new CpuQuery(CpuGrouping.Method, true, new RunFilter(), null), files);

        // Shares of the sum of both.
        var (inMore, inLess) = (Samples(methods, "Shares.SpinMore"), Samples(methods, "Shares.SpinLess"));
        var (n, share) = (inMore + inLess, ms["more"] / (ms["more"] + ms["less"]));
        Assert.InRange((double)inMore / n, share - Chance.OfShare(share, n), share + Chance.OfShare(share, n));

        // Both spin in one method, which has the samples of both.
        var spin = Assert.Single(methods.Rows, row => row.Name == "ThreadClock.Spin");
        Assert.InRange(spin.InclusiveSamples, n - 5, n + 5);
        Assert.True(methods.NamedManagedPercent > 95, $"{methods.NamedManagedPercent} % of {methods.ManagedLeaves} managed leafs named");
        Assert.InRange(methods.Percent(methods.BrokenStacks)!.Value, 0, 10);

        var threads = CpuAnalysis.Run(input.Processes, runs, new CpuQuery(CpuGrouping.Thread, false, new RunFilter(), null), files);
        Assert.Equal(methods.Samples, threads.Rows.Sum(row => row.Samples));
        // Starting, falling asleep and ending.
        var sleeping = threads.Rows.Where(row => row.Name == "sleeper").Sum(row => row.Samples);
        Assert.InRange(sleeping, Samples(methods, "Shares.SleepThrough"), 0.01 * n);

        // A sample is 1 ms on a processor, and the first one has time from before the run. The limit is by the switch records, because the
        // thread's clock lacks what the host takes meanwhile: there were 1,520 samples beside 1,508 ms.
        var times = Assert.Single(runs).Measuring!;
        var switchMs = ProgramClockTests.SwitchMs * (times.VoluntarySwitches + times.InvoluntarySwitches)!.Value;
        Assert.InRange(threads.Rows[0].Samples, n, times.OnCpuMs + switchMs + 1);
    }

    [Fact]
    public async Task A_child_that_makes_no_runs_is_found_by_its_id_and_with_its_parent_by_their_name()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        using var output = new StringWriter();
        var recorded = await BothHalves.RecordAsync(_root, output, new Dictionary<string, string>(), "spawn", "spin", "300", "1");
        var input = TraceInputReader.Open([recorded.Folder]);
        var runs = RunAnalysis.Run(input.Processes, []).Runs;
        var files = SymbolFiles.Of(input);

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

    private static long Samples(CpuResult result, string method) =>
        result.Rows.Where(row => row.Name == method).Sum(row => row.InclusiveSamples);
}
