using System.Globalization;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Runs first calls, each in a separate process, because only one call of a process is the first.</summary>
/// <param name="processes">Starts the processes.</param>
/// <param name="streamKind">Target and source of serialized data.</param>
/// <param name="csvFile">Run CSV for all processes to append to; null for none.</param>
public sealed class FirstCallRunner(ChildProcess processes, StreamKind streamKind, string? csvFile) : IDisposable
{
    /// <summary>Data of the current series for its first deserializes.</summary>
    private (PlannedSeries Series, string Path)? _data;

    /// <summary>Runs one first call.</summary>
    /// <param name="series">Its series.</param>
    /// <param name="identity">Names the run.</param>
    /// <param name="plannedRuns">Number of runs of the whole benchmark.</param>
    /// <exception cref="RunFailedException">The process failed, hung or could not be started, or its data could not be written.</exception>
    public RunTime Run(PlannedSeries series, RunIdentity identity, int plannedRuns)
    {
        ArgumentNullException.ThrowIfNull(series);
        ArgumentNullException.ThrowIfNull(identity);
        var dataFile = identity.Operation == RunOperation.FirstDeserialize ? DataFileOf(series) : "";
        var arguments = new FirstCallArguments(
            identity,
            plannedRuns,
            streamKind,
            dataFile,
            csvFile is null ? "" : Path.GetFullPath(csvFile),
            SerializerOrigin.Of(series.Serializer)
        );
        var (exitCode, output, error) = processes.Run(arguments.ToArguments(), tellLaunch: true);
        if (exitCode != 0)
        {
            var reason = FirstLine.Of(error) is { Length: > 0 } line ? line : "no message";
            throw new RunFailedException(
                string.Create(CultureInfo.InvariantCulture, $"its process ended with exit code {exitCode}: {reason}")
            );
        }

        try
        {
            return FirstCallProcess.ReadAnswer(output);
        }
        catch (FormatException exception)
        {
            throw new RunFailedException(exception.Message);
        }
    }

    /// <summary>Deletes the data file.</summary>
    public void Dispose()
    {
        if (_data is { } data)
            File.Delete(data.Path);
        _data = null;
    }

    private string DataFileOf(PlannedSeries series)
    {
        if (_data is { } data && data.Series == series)
            return data.Path;

        Dispose();
        var path = Path.Combine(Path.GetTempPath(), $"esp-workload-{Path.GetRandomFileName()}");
        _data = (series, path);
        try
        {
            var graph = series.Serializer.CreateModel().Create(series.ObjectCount, series.PayloadBytes);
            using var file = File.Create(path);
            series.Serializer.Construct().Serialize(file, graph);
        }
#pragma warning disable CA1031 // any exception of a serializer is the run's result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Dispose();
            throw new RunFailedException($"its data could not be written: {FirstLine.Of(exception)}");
        }

        return path;
    }
}
