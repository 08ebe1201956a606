using System.Globalization;
using System.Security.Cryptography;
using EtwSerializerProfiler.Stores.ClickHouse;

namespace EtwSerializerProfiler.Stores.Tests.Fleet;

/// <summary>scripts/fleet/slurm_submit.sh with a real controller and two nodes on this machine.</summary>
[Collection(EngineTests.Name)]
public sealed class SlurmTests(ClickHouseFixture servers)
{
    [Fact]
    [NeedsProgram("clickhouse-server", "clickhouse-server")]
    [NeedsProgram("slurm-wlm", "slurmctld")]
    [NeedsProgram("munge", "munged")]
    public void An_array_job_leaves_the_rows_of_a_store_filled_one_by_one()
    {
        using var traces = new FleetTraces(recordings: 2);
        var expected = traces.OneByOne();
        var path = traces.Folder.Path;
        var processes = new List<EngineProcess>();
        try
        {
            var slurm = StartCluster(traces.Folder, processes);
            var store = servers.Sharded($"t{Guid.NewGuid():N}");
            foreach (var name in new[] { "submit", "again" })
            {
                using var submit = new EngineProcess(
                    path,
                    name,
                    Script,
                    [
                        "--store",
                        store,
                        "--chunk",
                        "2",
                        "--wait",
                        "--list",
                        Path.Combine(path, $"{name}.txt"),
                        $"--sbatch=--output={path}/{name}-%a.task",
                        "--option=--quiet",
                        traces.Traces,
                    ],
                    slurm
                );
                Assert.True(submit.Wait() == 0, submit.Output + Tasks(name));
                Assert.Contains("4 traces in 2 tasks", submit.Output, StringComparison.Ordinal);
                using var filled = new ClickHouseStore(StoreAddress.Parse(store));
                Assert.Equal(expected, FleetTraces.Rows(filled));
            }

            Assert.Contains("2 of 2 traces are in the store already; nothing new.", Tasks("again"), StringComparison.Ordinal);
        }
        finally
        {
            processes.ForEach(process => process.Dispose());
        }

        string Tasks(string name) => string.Concat(Directory.GetFiles(path, $"{name}-*.task").Select(File.ReadAllText));
    }

    [Theory]
    [InlineData("no store is named")]
    [InlineData("a file of SQLite is not for several machines", "--store", "all.db", "/")]
    [InlineData("there is no option --stroe", "--stroe", "x")]
    [InlineData("--chunk takes a number from 1 on", "--store", "clickhouse:http://h:1/d", "--chunk", "0", "/")]
    public void Wrong_arguments_are_reported_in_three_lines(string what, params string[] arguments)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "it is a script for bash");
        using var folder = new TempFolder();
        using var submit = new EngineProcess(folder.Path, "submit", Script, arguments);
        Assert.Equal(2, submit.Wait());
        Assert.StartsWith($"slurm_submit: {what}\n  where: ", submit.Output, StringComparison.Ordinal);
        Assert.Contains("\n  fix: ", submit.Output, StringComparison.Ordinal);
    }

    private static string Script => Path.Combine(TestFiles.Root, "scripts", "fleet", "slurm_submit.sh");

    private static Dictionary<string, string> StartCluster(TempFolder folder, List<EngineProcess> processes)
    {
        var path = folder.Path;
        var (host, user) = (Environment.MachineName.Split('.')[0], Environment.UserName);
        var ports = Enumerable.Range(0, 3).Select(_ => EngineProcess.FreePort()).ToArray();
        foreach (var inner in new[] { "state", "spool", "munge" })
            EngineProcess.Restrict(Directory.CreateDirectory(Path.Combine(path, inner)).FullName);
        var key = folder.Write("munge/key", RandomNumberGenerator.GetBytes(1024));
        EngineProcess.Restrict(key);
        var conf = folder.Write(
            "slurm.conf",
            string.Create(
                CultureInfo.InvariantCulture,
                $"""
                ClusterName=esp
                SlurmctldHost={host}(127.0.0.1)
                SlurmUser={user}
                SlurmdUser={user}
                AuthType=auth/munge
                AuthInfo=socket={path}/munge/socket
                SlurmctldPort={ports[0]}
                SlurmctldPidFile={path}/slurmctld.pid
                SlurmdPidFile={path}/slurmd-%n.pid
                SlurmctldLogFile={path}/slurmctld.log
                SlurmdLogFile={path}/slurmd-%n.log
                StateSaveLocation={path}/state
                SlurmdSpoolDir={path}/spool/%n
                ProctrackType=proctrack/linuxproc
                TaskPlugin=task/none
                JobAcctGatherType=jobacct_gather/none
                AccountingStorageType=accounting_storage/none
                SelectType=select/cons_tres
                SelectTypeParameters=CR_Core
                MpiDefault=none
                SwitchType=switch/none
                ReturnToService=2
                SchedulerParameters=sched_interval=1,bf_interval=1
                KillWait=1
                NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 State=UNKNOWN
                NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 State=UNKNOWN
                PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP

                """
            )
        );
        processes.Add(
            new EngineProcess(
                path,
                "munged",
                NeedsProgramAttribute.Find("munged")!,
                [
                    "--foreground",
                    "--force",
                    $"--socket={path}/munge/socket",
                    $"--key-file={key}",
                    $"--log-file={path}/munge/log",
                    $"--pid-file={path}/munge/pid",
                    $"--seed-file={path}/munge/seed",
                ]
            )
        );
        EngineProcess.Until(() => File.Exists(Path.Combine(path, "munge", "socket")), () => processes[0].Output);
        var environment = new Dictionary<string, string> { ["SLURM_CONF"] = conf, ["ESP_ANALYZE"] = FleetTraces.Tool };
        processes.Insert(
            0,
            new EngineProcess(path, "slurmctld", NeedsProgramAttribute.Find("slurmctld")!, ["-D", "-f", conf], environment)
        );
        foreach (var node in new[] { "n1", "n2" })
            processes.Insert(
                0,
                new EngineProcess(path, node, NeedsProgramAttribute.Find("slurmd")!, ["-D", "-N", node, "-f", conf], environment)
            );
        EngineProcess.Until(() => IsIdle(path, environment), () => string.Concat(processes.Select(process => process.Output)));
        return environment;
    }

    private static bool IsIdle(string path, Dictionary<string, string> environment)
    {
        using var info = new EngineProcess(path, "sinfo", NeedsProgramAttribute.Find("sinfo")!, ["-h", "-o", "%T %D"], environment);
        return info.Wait() == 0 && info.Output.Trim() == "idle 2";
    }
}
