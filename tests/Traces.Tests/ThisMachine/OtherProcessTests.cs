using System.ComponentModel;
using System.Diagnostics;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Traces.Tests.ThisMachine;

public sealed class OtherProcessTests
{
    /// <summary>The exception of Process when the process is reaped between its own check and the reading of /proc/PID/stat.</summary>
    [Fact]
    public void Process_that_is_reaped_while_it_is_read_is_gone()
    {
        using var process = Sleeper();

        var time = OtherProcess.Read(
            process,
            TimeSpan (running) =>
            {
                End(running);
                throw new Win32Exception(
                    "Unable to retrieve the specified information about the process or thread. It may have exited or may be privileged."
                );
            },
            TimeSpan.Zero
        );

        Assert.Equal(TimeSpan.Zero, time);
    }

    [Fact]
    public void Process_that_ends_between_two_figures_is_gone()
    {
        using var process = Sleeper();

        var bytes = OtherProcess.Read<long?>(
            process.Id,
            running =>
            {
                End(running);
                return running.WorkingSet64; // throws: it has ended
            },
            null
        );

        Assert.Null(bytes);
        Assert.True(OtherProcess.HasEnded(process.Id));
        Assert.Equal("", OtherProcess.Read(process.Id, running => running.ProcessName, ""));
    }

    [Fact]
    public void Process_that_runs_is_read()
    {
        Assert.True(OtherProcess.Read(Environment.ProcessId, process => process.WorkingSet64, 0) > 0);
        Assert.False(OtherProcess.HasEnded(Environment.ProcessId));
    }

    private static Process Sleeper() =>
        OperatingSystem.IsWindows() ? Process.Start("ping", "-n 600 127.0.0.1") : Process.Start("sleep", "600");

    private static void End(Process process)
    {
        process.Kill();
        process.WaitForExit();
    }
}
