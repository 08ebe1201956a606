using System.Globalization;
using EtwSerializerProfiler.Stores.ClickHouse;

namespace EtwSerializerProfiler.Stores.Tests.Fleet;

/// <summary>scripts/fleet/dask_extract.py with a real scheduler and real workers.</summary>
[Collection(EngineTests.Name)]
public sealed class DaskTests(ClickHouseFixture servers)
{
    private const string Python = "/usr/bin/python3";

    [Fact]
    [NeedsProgram("clickhouse-server", "clickhouse-server")]
    [NeedsProgram("python3-distributed", "dask-scheduler")]
    public void Two_workers_of_which_one_is_killed_leave_the_rows_of_a_store_filled_one_by_one()
    {
        using var traces = new FleetTraces(recordings: 6);
        var expected = traces.OneByOne();
        var folder = traces.Folder;
        var scheduler = string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{EngineProcess.FreePort()}");

        // The very first task reports its worker, and then does its work like any other.
        var victim = Path.Combine(folder.Path, "victim");
        var tool = folder.Write(
            "tool.sh",
            $"#!/bin/sh\nif mkdir '{folder.Path}/first' 2>/dev/null; then echo $PPID > '{victim}.new'; mv '{victim}.new' '{victim}'; fi\nexec '{FleetTraces.Tool}' \"$@\"\n"
        );
        EngineProcess.Restrict(tool);
        var store = servers.Sharded($"t{Guid.NewGuid():N}");
        using var schedulerProcess = new EngineProcess(
            folder.Path,
            "scheduler",
            NeedsProgramAttribute.Find("dask-scheduler")!,
            ["--host", scheduler.Split(':')[0], "--port", scheduler.Split(':')[1], "--no-dashboard"]
        );
        using var first = Worker(folder.Path, scheduler, "w1");
        using var second = Worker(folder.Path, scheduler, "w2");
        EngineProcess.Until(
            () =>
                first.Output.Contains("Registered to", StringComparison.Ordinal)
                && second.Output.Contains("Registered to", StringComparison.Ordinal),
            () => schedulerProcess.Output + first.Output + second.Output
        );
        using var client = Client(folder.Path, scheduler, store, tool, traces.Traces, "client");
        EngineProcess.Until(() => File.Exists(victim) || client.HasExited, () => client.Output);
        Assert.False(client.HasExited, client.Output);
        var killed = File.ReadAllText(victim).Trim() == first.Id.ToString(CultureInfo.InvariantCulture) ? first : second;
        killed.Kill();

        Assert.True(client.Wait() == 0, client.Output);
        Assert.Contains($"{traces.Count} of {traces.Count} traces", client.Output, StringComparison.Ordinal);
        Assert.Contains("; 0 given up.", client.Output, StringComparison.Ordinal);
        using var filled = new ClickHouseStore(StoreAddress.Parse(store));
        Assert.Equal(expected, FleetTraces.Rows(filled));

        // And again: nothing is new. The remaining worker does it.
        using var again = Client(folder.Path, scheduler, store, tool, traces.Traces, "again");
        Assert.True(again.Wait() == 0, again.Output);
        Assert.Contains(
            $"Traces: 0 new, 0 changed, {traces.Count} already there, 0 failed; 0 given up.",
            again.Output,
            StringComparison.Ordinal
        );
        Assert.Equal(expected, FleetTraces.Rows(filled));

        // A tool that fails is an error of the client after several tries.
        using var wrong = Client(folder.Path, scheduler, store, "/no/such/tool", traces.Traces, "wrong");
        Assert.Equal(1, wrong.Wait());
        Assert.Contains("/no/such/tool", wrong.Output, StringComparison.Ordinal);
    }

    [Fact]
    [NeedsProgram("python3-distributed", "dask-scheduler")]
    public void A_cluster_that_does_not_answer_is_reported()
    {
        using var folder = new TempFolder();
        using var client = new EngineProcess(
            folder.Path,
            "client",
            Python,
            [
                Script,
                "--scheduler",
                string.Create(CultureInfo.InvariantCulture, $"tcp://127.0.0.1:{EngineProcess.FreePort()}"),
                "--wait",
                "1",
                "--store",
                "x.db",
                TestFiles.Unmarked,
            ]
        );
        Assert.Equal(4, client.Wait());
        Assert.Contains("fix: start dask-scheduler", client.Output, StringComparison.Ordinal);
        using var nothing = new EngineProcess(
            folder.Path,
            "nothing",
            Python,
            [Script, "--scheduler", "tcp://127.0.0.1:1", "--store", "x.db", folder.Path]
        );
        Assert.Equal(3, nothing.Wait());
    }

    private static string Script => Path.Combine(TestFiles.Root, "scripts", "fleet", "dask_extract.py");

    private static EngineProcess Worker(string folder, string scheduler, string name) =>
        new(
            folder,
            name,
            NeedsProgramAttribute.Find("dask-worker")!,
            [
                $"tcp://{scheduler}",
                "--no-dashboard",
                "--no-nanny",
                "--nthreads",
                "1",
                "--name",
                name,
                "--local-directory",
                Path.Combine(folder, $"{name}.files"),
            ]
        );

    private static EngineProcess Client(string folder, string scheduler, string store, string tool, string traces, string name) =>
        new(
            folder,
            name,
            Python,
            [Script, "--scheduler", $"tcp://{scheduler}", "--store", store, "--chunk", "2", "--tries", "2", "--program", tool, traces]
        );
}
