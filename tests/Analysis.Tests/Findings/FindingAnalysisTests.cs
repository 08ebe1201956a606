using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>The input of the rules: from a recording, and from a trace with known samples.</summary>
public sealed class FindingAnalysisTests
{
    private const ulong Write = 0x7000_0000;
    private const ulong Flush = 0x7000_1000;

    [Fact]
    public void A_recording_gives_all_that_it_holds()
    {
        var read = FindingAnalysis.Run(TraceInputReader.Open([TestFiles.Recording]), [], Files());

        Assert.Equal(read.Result.Rows.Sum(row => row.Contentions), read.Locks!.AllRows.Sum(row => row.Count));
        Assert.Equal(read.Result.Rows.Sum(row => row.Exceptions), read.Exceptions!.Sum(row => row.Count));
        Assert.Equal(
            read.Result.Runs.Sum(run => run.Error.Length == 0 ? run.Gcs!.Value.Gen0 : 0),
            read.Gcs!.AllRows.Count(row => row.Run is not null && row.Generation == 0)
        );
        Assert.NotEmpty(read.Allocations!.AllRows);
        Assert.Equal(["first calls (esp-record -test firstcall)", "CPU samples"], read.NotRecorded);
        Assert.Single(read.Recordings);
        Assert.Equal(FindingRules.Check(read).Select(finding => finding.Text), read.Result.Findings.Select(finding => finding.Text));
    }

    [Fact]
    public void Methods_are_added_up_by_row_as_cpu_does()
    {
        var trace = new SyntheticTrace()
            .Module("/app/My.dll")
            .Code(1, Write, "My.Writer", "Write", 1)
            .Code(2, Flush, "My.Writer", "Flush", 2);
        trace
            .Run(1, 1000, 5000)
            .Run(2, 11_000, 15_000, identity: SyntheticTrace.Identity("Other"))
            .Sample(2000, SyntheticTrace.Main, 0, Flush + 4, Write + 8)
            .Sample(3000, SyntheticTrace.Main, 0, Write + 4, Write + 8)
            .Sample(12_000, SyntheticTrace.Main, 0, Write + 4)
            .Sample(8000, SyntheticTrace.Main, 0, Write + 4); // between the runs
        var process = new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], []);

        var read = FindingAnalysis.Run(new TraceInput([], [process], [], false, [], []), [], Files());

        Assert.Equal(
            ["Json My.Writer.Flush 1/1 1/1 ms", "Json My.Writer.Write 1/2 1/2 ms", "Other My.Writer.Write 1/1 1/1 ms"],
            read.Methods!.Select(Text).Order(StringComparer.Ordinal)
        );
        var cpu = CpuAnalysis.Run(
            [process],
            read.Result.Runs,
            new CpuQuery(CpuGrouping.Method, false, new RunFilter { Serializer = "Json" }, null),
            Files()
        );
        Assert.Equal(
            cpu.Rows.Select(row => (row.Name, row.Samples, row.InclusiveSamples)).Order(),
            read.Methods!.Where(method => method.Runs.Serializer == "Json")
                .Select(method => (method.Name, method.Samples, method.InclusiveSamples))
                .Order()
        );

        static string Text(MethodCost method) =>
            FormattableString.Invariant(
                $"{method.Runs.Serializer} {method.Name} {method.Samples}/{method.InclusiveSamples} {method.CpuMs}/{method.InclusiveCpuMs} ms"
            );
    }

    private static SymbolFiles Files() => new("", DateTime.MinValue, TimeSpan.Zero);
}
