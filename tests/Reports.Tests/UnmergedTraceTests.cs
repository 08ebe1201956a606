using EtwSerializerProfiler.Etl;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>A trace in the files of its sessions, as PerfView writes it without merging, reads as the merged one.</summary>
public sealed class UnmergedTraceTests : IDisposable
{
    private const int App = 4000;
    private const int Main = 4001;
    private const ulong Code = 0x7000_1000;

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("cpu")]
    [InlineData("table")]
    [InlineData("gc")]
    [InlineData("stats")]
    [InlineData("events")]
    public void The_parts_beside_a_file_are_read_with_it(string command)
    {
        var merged = _folder.PathOf("merged.etl");
        using (var trace = new SyntheticEtl(merged))
        {
            Kernel(trace);
            User(trace);
            Rundown(trace);
        }

        var unmerged = _folder.PathOf("X.etl");
        Write("X.etl", User);
        Write("X.kernel.etl", Kernel);
        Write("X.clrRundown.etl", Rundown);
        Write("X.other.etl", Kernel); // another trace

        var expected = Rows(command, merged);
        Assert.NotEmpty(expected);
        Assert.Equal(expected, Rows(command, unmerged));
        Assert.Equal(expected, Rows(command, unmerged, _folder.PathOf("X.kernel.etl")));
    }

    /// <summary>The rows without the files' headers, and without shares of all bytes.</summary>
    private static string[] Rows(string command, params string[] paths)
    {
        var (code, output, error) = Run([command, .. paths, "--format", "csv"]);
        Assert.True(code == 0, error);
        var rows = output.Split('\n').Where(row => row.Length > 1 && !row.Contains("EventTrace", StringComparison.Ordinal));
        return command == "stats"
            ? [.. rows.Select(row => string.Join(',', row.Split(',').Take(8))).Order(StringComparer.Ordinal)]
            : [.. rows];
    }

    private static void Kernel(SyntheticEtl trace)
    {
        trace.SampleInterval(1);
        trace.Process(App, "app.exe");
        trace.Thread(Main, App);
        for (var at = 1000; at < 9000; at += 1000)
            trace.Sample(at, App, Main, Code + 0x10);
    }

    private static void User(SyntheticEtl trace) => trace.Gc(9500, App, Main, number: 1, generation: 2, microseconds: 300);

    private static void Rundown(SyntheticEtl trace)
    {
        trace.Module(9900, App, Main, 1, @"C:\app.dll", isRundown: true);
        trace.Method(9910, App, Main, 7, Code, 0x100, "App.Work", "Run", isRundown: true);
    }

    private void Write(string name, Action<SyntheticEtl> write)
    {
        using var trace = new SyntheticEtl(_folder.PathOf(name), new EtlWriteOptions());
        write(trace);
    }
}
