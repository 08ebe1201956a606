using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// CPU time by EventPipe's sample profiler, by really recording: where only that is permitted, and in traces of other tools.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class SampleProfilerTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-sample-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Shares_of_methods_are_those_of_the_threads_clock_and_the_profilers_stops_are_not_pauses()
    {
        var recorded = await Tool.RecordAsync(
            "--sampler",
            "eventpipe",
            "--no-analyze",
            "--out",
            Folder,
            "--",
            Tool.TestProgram,
            "shares",
            "1500"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        await SharesProgram.AssertAsync(recorded.Output, Folder);

        // It suspends the runtime hundreds of times a second, and none of these is a pause of a GC.
        var table = await SharesProgram.AnalyzeAsync("table", Folder);
        var row = Assert.Single(table.GetProperty("rows").EnumerateArray().ToList());
        Assert.Equal(
            0,
            row.GetProperty("gen0Gcs").GetInt32() + row.GetProperty("gen1Gcs").GetInt32() + row.GetProperty("gen2Gcs").GetInt32()
        );
        Assert.Equal(0, row.GetProperty("pauseTotalMs").GetDouble());
    }

    [Fact]
    public async Task Weighted_by_the_threads_clocks_the_samples_are_the_CPU_time_of_the_program()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "schedstat is Linux's");
        var recorded = await Tool.RecordRefusedAsync(
            "--sampler",
            "eventpipe",
            "--no-analyze",
            "--out",
            Folder,
            "--",
            Tool.TestProgram,
            "shares",
            "1500"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var (taken, sampled) = await SharesProgram.AssertAsync(recorded.Output, Folder);
        Assert.InRange(sampled, 1, taken * 1.1);

        // All CPU time is in samples; on a busy machine the profiler misses ticks, and that of the time between them has no stack.
        var run = Assert.Single((await SharesProgram.AnalyzeAsync("runs", Folder)).GetProperty("runs").EnumerateArray().ToList());
        Assert.InRange(
            run.GetProperty("sampledCpuMs").GetDouble(),
            run.GetProperty("cpuMs").GetDouble() * 0.95,
            run.GetProperty("cpuMs").GetDouble() * 1.05
        );
        Assert.InRange(run.GetProperty("cpuMs").GetDouble(), run.GetProperty("threadCpuMs").GetDouble() * 0.98, double.MaxValue);

        // The export to .etl has neither these samples nor clocks, and says so.
        var etl = Path.Combine(_root, "r.etl");
        var exported = await Tool.AnalyzeAsync("export", Folder, "--to", "etl", "--out", etl);
        Assert.True(exported.ExitCode == 0, exported.Error);
        Assert.Contains("samples of EventPipe's sample profiler are omitted", exported.Output + exported.Error, StringComparison.Ordinal);
        var row = Assert.Single((await SharesProgram.AnalyzeAsync("table", etl)).GetProperty("rows").EnumerateArray().ToList());
        Assert.Equal(
            (JsonValueKind.Null, JsonValueKind.Null),
            (row.GetProperty("cpuMs").ValueKind, row.GetProperty("sampledCpuMs").ValueKind)
        );
    }

    /// <summary>
    /// The session's file has the events that <c>dotnet-trace collect</c> writes: the sample profiler's events and the names of methods.
    /// </summary>
    [Fact]
    public async Task A_trace_alone_is_read_by_every_report_and_says_how_it_was_sampled()
    {
        var recorded = await Tool.RecordAsync(
            "--sessions",
            "clr",
            "--sampler",
            "eventpipe",
            "--no-inline-info",
            "--no-analyze",
            "--out",
            Folder,
            "--",
            Tool.TestProgram,
            "shares",
            "500"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var trace = Path.Combine(Folder, "sample.nettrace");

        foreach (var report in (string[])["cpu", "causes", "table"])
        {
            var text = await Tool.AnalyzeAsync(report, trace);
            Assert.True(text.ExitCode == 0, text.Error);
            Assert.Contains("CPU time: estimated by EventPipe's sample profiler", text.Output, StringComparison.Ordinal);
        }

        Assert.Contains("Shares.SpinMore", (await Tool.AnalyzeAsync("cpu", trace, "--tree")).Output, StringComparison.Ordinal);
        var row = Assert.Single((await SharesProgram.AnalyzeAsync("table", trace)).GetProperty("rows").EnumerateArray().ToList());
        Assert.Equal(JsonValueKind.Null, row.GetProperty("cpuMs").ValueKind);
        Assert.True(row.GetProperty("sampledCpuMs").GetDouble() > 0);

        var (speedscope, page) = (Path.Combine(_root, "s.json"), Path.Combine(_root, "r.html"));
        var exported = await Tool.AnalyzeAsync("export", trace, "--to", "speedscope", "--out", speedscope);
        Assert.True(exported.ExitCode == 0, exported.Error);
        Assert.Contains(
            "Shares.SpinLess",
            await File.ReadAllTextAsync(speedscope, TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
        var written = await Tool.AnalyzeAsync("report", trace, "--out", page);
        Assert.True(written.ExitCode == 0, written.Error);
        Assert.Contains(
            "sample profiler: managed code at safe points",
            await File.ReadAllTextAsync(page, TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Attaching_where_perf_events_are_refused_gives_managed_CPU_time_and_one_line_says_how()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the filter is Linux's");
        var start = new ProcessStartInfo(Tool.TestProgram, ["spin", "600000", "1"]) { RedirectStandardOutput = true };
        start.Environment["DOTNET_ROOT"] = Tool.DotNetRoot;
        using var program = Process.Start(start)!;
        try
        {
            Assert.Equal("spinning", await program.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
            var recorded = await Tool.RecordRefusedAsync(
                "attach",
                program.Id.ToString(CultureInfo.InvariantCulture),
                "--duration",
                "2",
                "--no-report",
                "--out",
                Folder
            );
            Assert.True(recorded.ExitCode == 0, recorded.Error);
            Assert.False(program.HasExited);
            Assert.Single(
                recorded.Error.Split('\n'),
                line => line.Contains("note: CPU time is sampled by EventPipe's sample profiler", StringComparison.Ordinal)
            );
            Assert.Contains(
                "CPU time: sampled by EventPipe's sample profiler and weighted by the threads' CPU clocks",
                recorded.Output,
                StringComparison.Ordinal
            );

            // On a loaded machine the profiler's thread may get so little time that most of the CPU time has no sample.
            var methods = (await SharesProgram.AnalyzeAsync("cpu", Folder, "--inclusive")).GetProperty("rows").EnumerateArray().ToList();
            var spin = Assert.Single(methods, method => method.GetProperty("method").GetString() == "ThreadClock.Spin");
            var spinMs = spin.GetProperty("inclusiveCpuMs").GetDouble();
            Assert.All(
                methods.Where(method => method.GetProperty("method").GetString() != "[unknown]+?"),
                method => Assert.InRange(method.GetProperty("cpuMs").GetDouble(), 0, spinMs)
            );
            var row = Assert.Single((await SharesProgram.AnalyzeAsync("table", Folder)).GetProperty("rows").EnumerateArray().ToList());
            Assert.True(row.GetProperty("cpuMs").GetDouble() >= spinMs * 0.95, row.GetRawText());
        }
        finally
        {
            program.Kill();
        }
    }
}
