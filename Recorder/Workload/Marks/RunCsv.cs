using System.Diagnostics;
using System.Globalization;

namespace EtwSerializerProfiler.Marks;

/// <summary>
/// The run CSV: one row per run with its identity and self-measurement, for runtimes without EventPipe, for progress, and for people. RFC
/// 4180, UTF-8, invariant culture. Every row is on disk before the next run begins, so a crash loses at most the current run. A serializer
/// that does not take part has a row of kind <see cref="LeftOutKind"/> with the reason as its error.
/// </summary>
/// <remarks>
/// Several processes of one recording append to one file, one after the other or at the same time; the first one writes the header.
/// </remarks>
public sealed class RunCsv : IDisposable
{
    /// <summary>Names of the columns, in order. Units are part of the name.</summary>
    public static readonly IReadOnlyList<string> Columns =
    [
        "pid",
        "run_id",
        "planned_runs",
        "serializer",
        "library",
        "library_version",
        "operation",
        "kind",
        "objects",
        "payload_bytes",
        "run",
        "threads",
        "start_ticks",
        "stop_ticks",
        "ticks_per_second",
        "thread_cpu_ns",
        "allocated_bytes",
        "gen0",
        "gen1",
        "gen2",
        "data_bytes",
        "runtime",
        "error",
        "launched_ticks",
        "probe_before_ns",
        "probe_after_ns",
        "peak_working_set_bytes",
        "program_bytes",
        "unsettled_methods",
    ];

    /// <summary>Value of column <c>kind</c> for a serializer that does not take part; its <c>run_id</c> is 0.</summary>
    public const string LeftOutKind = "LeftOut";

    private readonly FileStream _file;

    /// <summary>
    /// Offset of the byte that is locked while a row is written. It is beyond the end of any file, because on Windows nobody can read
    /// locked bytes.
    /// </summary>
    private const long LockOffset = long.MaxValue - 1;

    /// <summary>
    /// Time limit for the lock: a process that is stopped in the middle of a row must not block the others forever, and some network drives
    /// have no locks.
    /// </summary>
    private static readonly TimeSpan s_lockLimit = TimeSpan.FromSeconds(5);

    /// <summary>Whether the file can be locked, as far as known.</summary>
    private bool _hasLocks = !OperatingSystem.IsMacOS();

    /// <summary>The current row; reused.</summary>
    private readonly CsvRow _row = new();

    /// <summary>Opens <paramref name="path"/> for appending and writes the header when the file is new.</summary>
    /// <exception cref="IOException">The file cannot be opened or written.</exception>
    public RunCsv(string path)
    {
        // 1: no buffer, on every runtime.
        _file = new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite, bufferSize: 1);
        IsNew = _file.Position == 0;
        if (!IsNew)
            return;
        foreach (var column in Columns)
            _row.Append(column);
        Write();
    }

    /// <summary>Whether the file was empty or missing before.</summary>
    public bool IsNew { get; }

    /// <summary>Counts the runs in a file.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static int CountRuns(string path)
    {
        // Other processes may have it open for writing, which File.ReadLines refuses on Windows.
        using var file = new StreamReader(new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));
        var runs = 0;
        while (file.ReadLine() is { } line)
        {
            if (IsRun(line, out _))
                runs++;
        }

        return runs;
    }

    /// <summary>
    /// Whether a line of the file begins the row of a run. Such a line begins with two numbers; the continuation lines of an error do not.
    /// </summary>
    /// <param name="line">The line.</param>
    /// <param name="planned">Number of runs that the program plans; 0 when unknown.</param>
    public static bool IsRun(string line, out int planned)
    {
        planned = 0;
        var columns = line.Split([','], 4);
        if (columns.Length < 4 || !IsNumber(columns[0], out _) || !IsNumber(columns[1], out var run) || run == 0)
            return false;
        _ = IsNumber(columns[2], out planned);
        return true;

        static bool IsNumber(string text, out int number) =>
            int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
    }

    /// <summary>Appends a serializer that does not take part, with the reason.</summary>
    public void WriteLeftOut(string serializer, string reason)
    {
        foreach (var column in Columns)
        {
            _row.Append(
                column switch
                {
                    "pid" => Environment.ProcessId.ToString(CultureInfo.InvariantCulture),
                    "run_id" => "0",
                    "serializer" => serializer,
                    "kind" => LeftOutKind,
                    "error" => reason,
                    _ => "",
                }
            );
        }

        Write();
    }

    /// <summary>Appends one run.</summary>
    /// <param name="runId">Number of the run in its process, from 1.</param>
    /// <param name="plannedRuns">Number of runs that the whole benchmark plans; 0 when unknown.</param>
    /// <param name="identity">Names the run.</param>
    /// <param name="measurement">The self-measurement of the run.</param>
    public void Write(int runId, int plannedRuns, RunIdentity identity, in RunMeasurement measurement)
    {
        ArgumentNullException.ThrowIfNull(identity);
        _row.Append(Environment.ProcessId);
        _row.Append(runId);
        _row.Append(plannedRuns);
        _row.Append(identity.Serializer);
        _row.Append(identity.Library);
        _row.Append(identity.LibraryVersion);
        _row.Append(identity.Operation);
        _row.Append(identity.Kind.ToString());
        _row.Append(identity.ObjectCount);
        _row.Append(identity.PayloadBytes);
        _row.Append(identity.RunNumber);
        _row.Append(identity.ThreadCount);
        _row.Append(measurement.StartTicks);
        _row.Append(measurement.StopTicks);
        _row.Append(measurement.TicksPerSecond);
        _row.Append(measurement.ThreadCpuNanoseconds);
        _row.Append(measurement.AllocatedBytes);
        _row.Append(measurement.Gen0);
        _row.Append(measurement.Gen1);
        _row.Append(measurement.Gen2);
        _row.Append(measurement.DataBytes);
        _row.Append(System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription);
        _row.Append(measurement.Error);
        _row.Append(measurement.LaunchedTicks);
        _row.Append(measurement.ProbeBeforeNanoseconds);
        _row.Append(measurement.ProbeAfterNanoseconds);
        _row.Append(measurement.PeakWorkingSetBytes);
        _row.Append(measurement.ProgramBytes);
        _row.Append(measurement.UnsettledMethods);
        Write();
    }

    /// <summary>Closes the file.</summary>
    public void Dispose() => _file.Dispose();

    private void Write()
    {
        var isLocked = Lock();
        try
        {
            _row.WriteTo(_file);
        }
        finally
        {
            if (isLocked && !OperatingSystem.IsMacOS())
                _file.Unlock(LockOffset, 1);
        }
    }

    /// <summary>Prevents other processes from appending at the same time, if the system can.</summary>
    private bool Lock()
    {
        var start = Stopwatch.GetTimestamp();
        while (_hasLocks && !OperatingSystem.IsMacOS())
        {
            try
            {
                _file.Lock(LockOffset, 1);
                return true;
            }
            catch (IOException)
            {
                Thread.Sleep(1);
                _hasLocks = Stopwatch.GetElapsedTime(start) < s_lockLimit;
            }
        }

        return false;
    }
}
