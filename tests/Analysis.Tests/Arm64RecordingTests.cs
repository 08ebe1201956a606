using System.IO.Compression;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>
/// A recording of an emulated arm64 machine (tests/TestData/arm64), read on any other: names and callers come from the recording alone.
/// </summary>
public sealed class Arm64RecordingTests(Arm64Recording recording) : IClassFixture<Arm64Recording>
{
    /// <summary>The program's host is stripped: its entry point stands for the missing <c>_start</c>.</summary>
    [Fact]
    public void Stacks_of_the_main_thread_reach_its_start()
    {
        var rows = recording.ByThread;
        var main = Enumerable.Range(0, rows.Count).Single(index => rows[index].Depth == 0 && rows[index].ThreadId == recording.ProcessId);
        var starts = rows.Skip(main + 1).TakeWhile(row => row.Depth > 0).Where(row => row.Depth == 1).ToDictionary(row => row.Name);

        Assert.InRange(rows[main].InclusiveSamples, 500, long.MaxValue);
        Assert.InRange(100.0 * Assert.Contains("_start", starts).InclusiveSamples / rows[main].InclusiveSamples, 99, 100);
        Assert.InRange(recording.Result.Percent(recording.Result.BrokenStacks)!.Value, 0, 1);
    }

    [Theory]
    [InlineData("Leaves.Tiny", "Leaves.CallTiny")] // a few instructions
    [InlineData("Leaves.Framed", "Leaves.CallFramed")]
    [InlineData("Leaves.CallTiny", "Leaves.Take")]
    [InlineData("Leaves.CallFramed", "Leaves.Take")]
    public void A_managed_leaf_has_its_caller(string leaf, string caller) =>
        Assert.InRange(PercentUnder(recording.Result, leaf, caller), 95, 100);

    [Theory]
    [InlineData("framed_leaf", "framed_caller")]
    [InlineData("framed_caller", "Leaves.CallNativeFramed")]
    [InlineData("bare_leaf", "bare_caller")]
    [InlineData("bare_caller", "Leaves.CallNativeBare")]
    public void Native_code_that_signs_its_return_addresses_has_its_caller(string leaf, string caller) =>
        Assert.InRange(PercentUnder(recording.Result, leaf, caller), 95, 100);

    [Fact]
    public void Functions_of_the_kernel_have_names()
    {
        var result = recording.Result;
        var kernel = result.Rows.Where(row => row.Kind == CodeKind.Kernel).ToList();

        Assert.Equal(result.KernelSamples, kernel.Sum(row => row.Samples));
        Assert.InRange(kernel.Sum(row => row.Samples), 50, long.MaxValue);
        Assert.DoesNotContain(kernel, row => row.Name.Contains('+', StringComparison.Ordinal));
        Assert.DoesNotContain(result.SymbolProblems, problem => problem.Contains("kernel", StringComparison.Ordinal));
    }

    /// <summary>The third part of the program reads zeros.</summary>
    [Fact]
    public void What_the_kernel_does_stands_below_the_method_that_asks_it() =>
        Assert.Contains(
            Below(recording.Result, "Leaves.EnterKernel"),
            row => row.Name is "read_zero" or "read_iter_zero" && row.Kind == CodeKind.Kernel
        );

    private static IEnumerable<CallTreeRow> Nodes(CpuResult result, string name) => result.Tree!.Where(row => row.Name == name);

    /// <summary>Percent of the samples in a function and what it calls that have the caller as the frame before it.</summary>
    private static double PercentUnder(CpuResult result, string name, string caller)
    {
        Assert.NotEmpty(Nodes(result, name));
        var (all, below) = (0L, 0L);
        var path = new string[CallTreeQuery.Deepest + 1];
        foreach (var row in result.Tree!)
        {
            path[row.Depth] = row.Name;
            if (row.Name != name)
                continue;
            all += row.InclusiveSamples;
            below += row.Depth > 0 && path[row.Depth - 1] == caller ? row.InclusiveSamples : 0;
        }

        Assert.InRange(all, 20, long.MaxValue); // enough to speak of percent
        return 100.0 * below / all;
    }

    private static IEnumerable<CallTreeRow> Below(CpuResult result, string name)
    {
        var top = int.MaxValue;
        foreach (var row in result.Tree!)
        {
            if (row.Depth <= top)
                top = row.Name == name ? row.Depth : int.MaxValue;
            else
                yield return row;
        }
    }
}

/// <summary>The recording of <c>TestProgram leaves</c>, unpacked and analysed once.</summary>
public sealed class Arm64Recording : IDisposable
{
    private readonly TempFolder _folder = new();

    /// <summary>Unpacks and reads it.</summary>
    public Arm64Recording()
    {
        ZipFile.ExtractToDirectory(TestFiles.Data("arm64/leaves.zip"), _folder.Path);
        var input = TraceInputReader.Open([_folder.PathOf("leaves")]);
        var runs = RunAnalysis.Run(input.Processes, []).Runs;
        var query = new CpuQuery(CpuGrouping.Method, true, new RunFilter(), null);
        var rows = CpuAnalysis.Run(input.Processes, runs, query, SymbolFiles.Of(input));
        ByThread = Tree(query with { Grouping = CpuGrouping.Thread });
        Result = rows with { Tree = Tree(query) };
        ProcessId = runs.Single().ProcessId;

        IReadOnlyList<CallTreeRow> Tree(CpuQuery of)
        {
            var query = of with { Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null) };
            return CpuAnalysis.Run(input.Processes, runs, query, SymbolFiles.Of(input)).Tree!;
        }
    }

    /// <summary>All methods, and the whole call tree.</summary>
    public CpuResult Result { get; }

    /// <summary>The call tree of each thread.</summary>
    public IReadOnlyList<CallTreeRow> ByThread { get; }

    /// <summary>Id of the process, which is that of its main thread.</summary>
    public int ProcessId { get; }

    /// <inheritdoc />
    public void Dispose() => _folder.Dispose();
}
