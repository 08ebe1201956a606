using System.Globalization;
using System.Text;

namespace EtwSerializerProfiler.Marks;

/// <summary>
/// The run CSV: one row a run with its identity and truth, for runtimes without EventPipe, for progress, and for people. RFC 4180, UTF-8,
/// invariant culture. Every row is on disk before the next run begins, so a crash loses at most the open run.
/// </summary>
/// <remarks>Several processes of one recording append to one file in turn (first-call runs); the header is written by the first.</remarks>
public sealed class RunCsv : IDisposable
{
    /// <summary>Names of the columns, in order. Units are part of the name.</summary>
    public static readonly IReadOnlyList<string> Columns =
    [
        "pid", "run_id", "planned_runs", "serializer", "library", "library_version", "operation", "kind", "objects", "payload_bytes", "run", "threads",
        "start_ticks", "stop_ticks", "ticks_per_second", "thread_cpu_ns", "allocated_bytes", "gen0", "gen1", "gen2", "data_bytes", "runtime", "error",
        "launched_ticks",
    ];

    private static readonly char[] s_special = [',', '"', '\r', '\n'];

    /// <summary>The file, opened for appending.</summary>
    private readonly FileStream _file;

    /// <summary>One row while it is put together, reused.</summary>
    private readonly StringBuilder _row = new();

    /// <summary>Opens <paramref name="path"/> for appending and writes the header when the file is new.</summary>
    /// <exception cref="IOException">The file cannot be opened or written.</exception>
    public RunCsv(string path)
    {
        _file = new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite, bufferSize: 1); // 1: no buffer, on every runtime
        if (_file.Position > 0)
            return;
        foreach (var column in Columns)
            Append(column);
        WriteRow();
    }

    /// <summary>Appends one run.</summary>
    /// <param name="runId">Number of the run in its process, from 1.</param>
    /// <param name="plannedRuns">Runs that the whole benchmark plans, 0 when it does not know.</param>
    /// <param name="identity">Names the run.</param>
    /// <param name="truth">What the process knows of it.</param>
    public void Write(int runId, int plannedRuns, RunIdentity identity, in RunTruth truth)
    {
        ArgumentNullException.ThrowIfNull(identity);
        Append(Environment.ProcessId);
        Append(runId);
        Append(plannedRuns);
        Append(identity.Serializer);
        Append(identity.Library);
        Append(identity.LibraryVersion);
        Append(identity.Operation);
        Append(identity.Kind.ToString());
        Append(identity.ObjectCount);
        Append(identity.PayloadBytes);
        Append(identity.RunNumber);
        Append(identity.ThreadCount);
        Append(truth.StartTicks);
        Append(truth.StopTicks);
        Append(truth.TicksPerSecond);
        Append(truth.ThreadCpuNanoseconds);
        Append(truth.AllocatedBytes);
        Append(truth.Gen0);
        Append(truth.Gen1);
        Append(truth.Gen2);
        Append(truth.DataBytes);
        Append(System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription);
        Append(truth.Error);
        Append(truth.LaunchedTicks);
        WriteRow();
    }

    /// <summary>Closes the file.</summary>
    public void Dispose() => _file.Dispose();

    private void Append(long value) => Append(value.ToString(CultureInfo.InvariantCulture));

    private void Append(string value)
    {
        if (_row.Length > 0)
            _row.Append(',');
        if (value.IndexOfAny(s_special) < 0)
            _row.Append(value);
        else
            _row.Append('"').Append(value.Replace("\"", "\"\"", StringComparison.Ordinal)).Append('"');
    }

    private void WriteRow()
    {
        // .NET keeps a position of its own, also in append mode: without this, rows that another process appended since would be overwritten.
        _file.Seek(0, SeekOrigin.End);
        _file.Write(Encoding.UTF8.GetBytes(_row.Append('\n').ToString()));
        _file.Flush();
        _row.Clear();
    }
}
