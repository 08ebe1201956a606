using System.Buffers.Binary;
using System.Diagnostics;
using System.Text;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Records a mode of TestProgram with perf events and looks into the file.</summary>
internal sealed class PerfRecordingFixture : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("esp-perf-").FullName;

    public string Path => System.IO.Path.Combine(_folder, "perf.data");

    public PerfSessionStatistics Statistics { get; private set; }

    public DrainStatistics Drain { get; private set; }

    public int ProcessId { get; private set; }

    /// <summary>What the program wrote to its standard output.</summary>
    public string Output { get; private set; } = "";

    /// <summary>Skips the test where the machine permits no perf events.</summary>
    public static void SkipUnlessPermitted()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "perf events exist on Linux only");
        Assert.SkipUnless(PerfEventPermissions.Read().OwnProcesses, $"not permitted: {PerfEventPermissions.Read().Fix}");
        var probe = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"esp-{Guid.NewGuid():N}.probe");
        try
        {
            PerfEventSession.Start(PerfEventPlan.Create(PerfEventScope.Attach), Environment.ProcessId, probe, "test", []).Dispose();
        }
        catch (PerfEventException exception) when (exception.ErrorNumber is 1 or 13 or 38)
        {
            Assert.Skip(exception.Message);
        }
        finally
        {
            File.Delete(probe);
        }
    }

    /// <summary>A TestProgram to start.</summary>
    public static ProcessStartInfo Program(IReadOnlyList<string> command)
    {
        var start = new ProcessStartInfo(command[0], command.Skip(1)) { RedirectStandardOutput = true };
        start.Environment["DOTNET_ROOT"] = System.IO.Path.GetFullPath(
            System.IO.Path.Combine(System.Runtime.InteropServices.RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..")
        );
        return start;
    }

    public static string[] Command(params string[] arguments) => Of("TestProgram", arguments);

    /// <summary>The command of another program that lies beside the tests.</summary>
    public static string[] Of(string program, params string[] arguments) =>
        [System.IO.Path.Combine(AppContext.BaseDirectory, program), .. arguments];

    /// <summary>Records a mode of TestProgram from its first thread to its end.</summary>
    public void Record(PerfEventPlan plan, params string[] arguments)
    {
        using var gate = new GatedLaunch(Command(arguments));
        using var process = Process.Start(Program(gate.Command))!;
        ProcessId = process.Id;
        using var session = PerfEventSession.Start(plan, process.Id, Path, "test", arguments);
        gate.Open();
        Output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        session.Stop();
        Assert.Equal(0, process.ExitCode);
        Assert.Equal("", session.Error);
        Statistics = session.Statistics;
        Drain = session.Drain;
    }

    /// <summary>Names given to threads, by thread.</summary>
    public Dictionary<int, string> ThreadNames(string path = "")
    {
        var names = new Dictionary<int, string>();
        using var reader = PerfDataReader.Open(path.Length == 0 ? Path : path);
        while (reader.TryRead(out var record))
        {
            if (record.TryReadComm(out _, out var thread, out var name))
                names[thread] = Encoding.UTF8.GetString(name);
        }

        // A file that a killed recorder left may end inside a record.
        if (path.Length == 0)
            Assert.Null(reader.Damage);
        return names;
    }

    /// <summary>Counts record types in the bytes of the data section without the reader.</summary>
    public Dictionary<int, long> CountIndependently()
    {
        var bytes = File.ReadAllBytes(Path);
        var at = (int)BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(40));
        var end = at + (int)BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(48));
        var counts = new Dictionary<int, long>();
        while (at < end)
        {
            var type = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at));
            counts[type] = counts.GetValueOrDefault(type) + 1;
            at += BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(at + 6));
        }

        Assert.Equal(end, at);
        return counts;
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
