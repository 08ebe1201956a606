using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Checks;
using EtwSerializerProfiler.Workload.Plugins;

namespace EtwSerializerProfiler.Workload.Results;

/// <summary>The files that the suite writes while it runs.</summary>
public sealed class SuiteOutputs : IDisposable
{
    private SuiteOutputs(SuiteEnvironment environment) => Environment = environment;

    /// <summary>Environment of the runs.</summary>
    public SuiteEnvironment Environment { get; }

    /// <summary>Path of <see cref="Runs"/>; null for none.</summary>
    public string? RunsFile { get; private init; }

    /// <summary>Receives every run; null when not requested.</summary>
    public RunCsv? Runs { get; private set; }

    /// <summary>Number of runs in <see cref="Runs"/> when it was opened.</summary>
    public int RunsBefore { get; private set; }

    /// <summary>Receives every series; null when not requested.</summary>
    public SeriesCsv? Series { get; private set; }

    /// <summary>
    /// Opens the files and the folder for serialized data before anything runs, so that unwritable ones are reported at once.
    /// </summary>
    /// <param name="runsFile">Path of the run CSV; null for none. The environment is written beside it.</param>
    /// <param name="seriesFile">Path of the CSV of series; null for none.</param>
    /// <param name="withHeader">Whether to write a header to a new CSV of series.</param>
    /// <param name="options">The options of the run.</param>
    /// <param name="environment">Environment of the runs.</param>
    /// <param name="leftOut">Serializers that do not take part; a new run CSV begins with them.</param>
    /// <param name="isFirst">Whether this is the first process of the benchmark, which writes the environment.</param>
    /// <exception cref="IOException">A file cannot be opened or written.</exception>
    /// <exception cref="UnauthorizedAccessException">A file may not be written.</exception>
    public static SuiteOutputs Open(
        string? runsFile,
        string? seriesFile,
        bool withHeader,
        SuiteOptions options,
        SuiteEnvironment environment,
        IReadOnlyList<LeftOutSerializer> leftOut,
        bool isFirst = true
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(environment);
        ArgumentNullException.ThrowIfNull(leftOut);
        var outputs = new SuiteOutputs(environment) { RunsFile = runsFile };
        try
        {
            if (options.Keep.Length > 0)
                Directory.CreateDirectory(options.Keep);
            if (seriesFile is not null)
                outputs.Series = new SeriesCsv(seriesFile, withHeader, environment.Seed);
            if (runsFile is null)
                return outputs;
            outputs.RunsBefore = isFirst ? 0 : RunCsv.CountRuns(runsFile);
            outputs.Runs = new RunCsv(runsFile);
            if (!isFirst)
                return outputs;
            foreach (var serializer in outputs.Runs.IsNew ? leftOut : [])
                outputs.Runs.WriteLeftOut(serializer.Name, serializer.Reason);
            environment.Write(Path.Combine(Path.GetDirectoryName(Path.GetFullPath(runsFile))!, SuiteEnvironment.FileName));
            return outputs;
        }
        catch
        {
            outputs.Dispose();
            throw;
        }
    }

    /// <summary>Closes the files.</summary>
    public void Dispose()
    {
        Runs?.Dispose();
        Series?.Dispose();
    }
}
