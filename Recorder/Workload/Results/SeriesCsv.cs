using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Results;

/// <summary>
/// The CSV of <c>-out</c>: one row per series, with the columns of SerializerTests first, so that its tables and charts keep working, then
/// additional ones. RFC 4180, UTF-8, invariant culture. docs/metrics.md defines every column.
/// </summary>
public sealed class SeriesCsv : IDisposable
{
    /// <summary>Names of the columns, in order.</summary>
    public static readonly IReadOnlyList<string> Columns =
    [
        "Serializer",
        "Objects",
        "Time in s",
        "Size in bytes",
        "FileVersion",
        "Framework",
        "CommandLine",
        "operation",
        "kind",
        "threads",
        "payload_bytes",
        "runs",
        "median_ms",
        "min_ms",
        "max_ms",
        "allocated_bytes_per_run",
        "gen0",
        "gen1",
        "gen2",
        "library",
        "library_version",
        "runtime",
        "seed",
        "error",
    ];

    private readonly FileStream _file;
    private readonly CsvRow _row = new();
    private readonly string _commandLine;
    private readonly int _seed;

    /// <summary>Opens <paramref name="path"/> for appending; a new file gets the header.</summary>
    /// <param name="path">The file.</param>
    /// <param name="withHeader">False to omit the header in a new file, so that files can be joined.</param>
    /// <param name="seed">Seed of the order of serializers.</param>
    /// <exception cref="IOException">The file cannot be opened or written.</exception>
    public SeriesCsv(string path, bool withHeader, int seed)
    {
        _seed = seed;
        _commandLine = Environment.CommandLine;
        // 1: no buffer, on every runtime.
        _file = new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite, bufferSize: 1);
        if (_file.Position > 0 || !withHeader)
            return;
        foreach (var column in Columns)
            _row.Append(column);
        _row.WriteTo(_file);
    }

    /// <summary>Appends a series.</summary>
    /// <param name="series">The measured series.</param>
    /// <param name="runs">Its reported runs that completed; empty when it failed before.</param>
    /// <param name="error">The error that ended it early; empty for none.</param>
    public void Write(PlannedSeries series, IReadOnlyList<RunTime> runs, string error)
    {
        ArgumentNullException.ThrowIfNull(series);
        ArgumentNullException.ThrowIfNull(runs);
        var times = runs.Select(run => run.Milliseconds).ToArray();
        _row.AppendInert(series.Serializer.Name);
        _row.Append(series.ObjectCount);
        Append(times.Length > 0 ? times.Average() / 1000 : null);
        Append(runs.Count > 0 && runs[^1].DataBytes >= 0 ? runs[^1].DataBytes : null);
        _row.AppendInert(FileVersion(series));
        _row.Append(RuntimeInformation.FrameworkDescription);
        _row.AppendInert(_commandLine);
        _row.AppendInert(series.Operation);
        _row.Append(series.Kind.ToString());
        _row.Append(series.ThreadCount);
        _row.Append(series.PayloadBytes);
        _row.Append(runs.Count);
        Append(times.Length > 0 ? SuiteConsole.Median(times) : null);
        Append(times.Length > 0 ? times.Min() : null);
        Append(times.Length > 0 ? times.Max() : null);
        Append(runs.Count > 0 && runs.All(run => run.AllocatedBytes >= 0) ? Math.Round(runs.Average(run => run.AllocatedBytes)) : null);
        Append(runs.Count > 0 ? runs.Sum(run => run.Gen0) : null);
        Append(runs.Count > 0 ? runs.Sum(run => run.Gen1) : null);
        Append(runs.Count > 0 ? runs.Sum(run => run.Gen2) : null);
        _row.AppendInert(series.Serializer.Library);
        _row.AppendInert(series.Serializer.LibraryVersion);
        _row.Append(SuiteRuntime.Label);
        _row.Append(_seed);
        _row.AppendInert(error);
        _row.WriteTo(_file);
    }

    /// <summary>Closes the file.</summary>
    public void Dispose() => _file.Dispose();

    /// <summary>Appends a number with the decimals of a nanosecond clock; an empty cell for null.</summary>
    private void Append(double? value) =>
        _row.Append(value is { } number ? Math.Round(number, 9).ToString("0.#########", CultureInfo.InvariantCulture) : "");

    private static string FileVersion(PlannedSeries series) =>
        series.Serializer.LibraryAssembly.Location is { Length: > 0 } file ? FileVersionInfo.GetVersionInfo(file).FileVersion ?? "" : "";
}
