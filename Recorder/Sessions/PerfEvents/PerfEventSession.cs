using System.Diagnostics;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Sessions.Clocks;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>
/// Records perf events of a process tree or of the machine into a perf.data file or into memory (<see cref="PerfSinkFactory"/>). One thread
/// moves records from the rings of all CPUs to it (<see cref="RingDrain"/>). If the recorder is killed, the file is complete up to the last
/// flush, at most a second ago, and the kernel ends the events.
/// </summary>
public sealed class PerfEventSession : IKernelSession
{
    private readonly PerfEventSet _set;
    private readonly IPerfRecordSink _writer;
    private readonly RecordCounter _counter;
    private readonly RingDrain _drain;
    private string _writeError = "";
    private bool _stopped;

    private PerfEventSession(PerfEventPlan plan, PerfEventSet set, IPerfRecordSink writer)
    {
        Plan = plan;
        _set = set;
        _writer = writer;
        _counter = new RecordCounter(writer.BuildIds);
        _drain = new RingDrain(set, writer, _counter, plan.SwitchStackEvent);
    }

    /// <summary>What is recorded: the plan without the events that need more open files than permitted.</summary>
    public PerfEventPlan Plan { get; }

    /// <summary>Size of a CPU's ring; smaller than planned if the system permitted less.</summary>
    public int RingBytes => _set.RingBytes;

    /// <summary>
    /// Counts so far, without records that were dropped by design; final after <see cref="Stop"/>. Readable from any thread.
    /// </summary>
    public PerfSessionStatistics Statistics => _counter.Read(_writer);

    /// <summary>Why recording ended early (disk full); empty when it did not.</summary>
    public string Error => _drain.Error.Length > 0 ? _drain.Error : _writeError;

    /// <summary>Whether records could not be written because the disk was full.</summary>
    public bool CouldNotWrite => _drain.CouldNotWrite || _writeError.Length > 0;

    /// <summary>How promptly the rings were drained. Final after <see cref="Stop"/>.</summary>
    public DrainStatistics Drain => new(RingBytes, _drain.Precedence, _drain.Ready, _drain.Draining);

    /// <summary>Opens the events and starts reading their rings.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="processId">
    /// The process. With <see cref="PerfEventScope.Launch"/>, it is waiting in a <see cref="GatedLaunch"/>: recording begins when it execs
    /// the program.
    /// </param>
    /// <param name="path">File to create.</param>
    /// <param name="toolVersion">Version of the tool, for the file's header.</param>
    /// <param name="commandLine">Command line of the recording, for the file's header.</param>
    /// <param name="open">Opens the target of the records; null for the file itself.</param>
    /// <exception cref="PerfEventException">The system refuses, or the process has ended.</exception>
    /// <exception cref="IOException">The file cannot be created.</exception>
    public static PerfEventSession Start(
        PerfEventPlan plan,
        int processId,
        string path,
        string toolVersion,
        IReadOnlyList<string> commandLine,
        PerfSinkFactory? open = null
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        if (!OperatingSystem.IsLinux())
            throw new PerfEventException("perf events exist on Linux only", "", PerfNative.NotImplemented);

        var time = Stopwatch.GetTimestamp(); // CLOCK_MONOTONIC in ns, the clock of the records
        var threads = plan.Scope == PerfEventScope.Attach ? ProcessSnapshot.Threads(processId) : [];
        if (threads.Count == 0)
            threads = [processId];
        plan = plan.Within(OpenFiles.Read(), threads.Count, OnlineCpus.Read().Count);
        var set = PerfEventSet.Open(plan, threads);
        IPerfRecordSink? writer = null;
        try
        {
            var tracepoints = plan
                .Events.Where(item => item.Settings.Kind == PerfEventKind.Tracepoint)
                .Select(item => item.Name.Split(':'))
                .Select(parts => (parts[0], parts[1]))
                .ToList();
            open ??= (file, events, features, tracingData, bufferBytes) =>
                new PerfDataWriter(file, events, features, tracingData, bufferBytes);
            writer = open(
                path,
                set.Events,
                Describe(time, toolVersion, commandLine),
                TraceFileSystem.Describe(tracepoints),
                set.RingBytes + ushort.MaxValue
            );
            var session = new PerfEventSession(plan, set, writer);
            if (plan.Scope != PerfEventScope.Launch)
                set.Enable();
            session.WriteSnapshot(processId, time);
            session._drain.Start();
            return session;
        }
        catch
        {
            writer?.Dispose();
            set.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Actually opens the events on this process and closes them again, because only this reveals what a container forbids.
    /// </summary>
    /// <returns>Null when permitted; otherwise the refusal.</returns>
    internal static PerfEventException? Probe()
    {
        try
        {
            PerfEventSet
                .Open(PerfEventPlan.Create(PerfEventScope.Attach, ringBytes: Environment.SystemPageSize), [Environment.ProcessId])
                .Dispose();
            return null;
        }
        catch (PerfEventException exception)
        {
            return exception;
        }
    }

    /// <summary>
    /// Ends the recording: stops the events, moves the rest of the rings to the file and completes it. Calling it again does nothing.
    /// </summary>
    public void Stop()
    {
        if (_stopped)
            return;
        _stopped = true;
        _set.Disable();
        _drain.Stop();
        Finish();
        _drain.Dispose();
        _set.Dispose();
    }

    /// <summary>Stops the session.</summary>
    public void Dispose() => Stop();

    private void WriteSnapshot(int processId, long time)
    {
        var snapshot = new ProcessSnapshot(_writer, _set.Events[0].Ids[0], time);
        if ((Plan.Events[0].Settings.Bits & PerfEventBits.ExcludeKernel) == 0)
            snapshot.WriteKernel();
        if (Plan.Scope == PerfEventScope.Attach)
        {
            snapshot.WriteProcess(processId);
        }
        else if (Plan.Scope == PerfEventScope.SystemWide)
        {
            foreach (var process in ProcessSnapshot.Processes())
                snapshot.WriteProcess(process);
        }
    }

    private void Finish()
    {
        try
        {
            // A ring reports a loss with the next record that fits, so the last losses are known only from the events.
            var unreported = _set.ReadLost() - _counter.Lost;
            if (unreported > 0 && Error.Length == 0)
            {
                _counter.AddLost(unreported);
                new ProcessSnapshot(_writer, _set.Events[0].Ids[0], _counter.LastTime).WriteLost(unreported);
                _writer.WriteFinishedRound();
            }

            _writer.Dispose();
        }
        catch (IOException exception)
        {
            _writeError = $"ended early: {exception.Message}";
        }
    }

    /// <summary>Describes machine and recording for the file.</summary>
    internal static PerfDataFeatures Describe(long time, string toolVersion, IReadOnlyList<string> commandLine)
    {
        var host = HostDescription.Read();
        var wall = (DateTime.UtcNow - DateTime.UnixEpoch).Ticks * 100 - (MonotonicTime.Now() - time);
        return new PerfDataFeatures
        {
            HostName = host.MachineName,
            KernelRelease = ReadLine("/proc/sys/kernel/osrelease"),
            ToolVersion = toolVersion,
            Architecture = RuntimeInformation.OSArchitecture switch
            {
                Architecture.X64 => "x86_64",
                Architecture.Arm64 => "aarch64",
                var other => other.ToString().ToLowerInvariant(),
            },
            ProcessorModel = host.Cpu,
            ProcessorsPresent = Math.Max(OnlineCpus.Read().Max() + 1, Environment.ProcessorCount),
            ProcessorsOnline = OnlineCpus.Read().Count,
            MemoryBytes = host.MemoryBytes,
            CommandLine = commandLine,
            Clock = new PerfClockData(PerfEventSettings.ClockMonotonic, wall, time),
        };
    }

    private static string ReadLine(string path)
    {
        try
        {
            return File.ReadLines(path).FirstOrDefault("");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
