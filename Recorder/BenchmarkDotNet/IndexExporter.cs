using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>
/// Writes the index of the recordings, which <c>esp-analyze</c> opens, and names it among BenchmarkDotNet's exported files.
/// </summary>
/// <param name="cases">The recordings.</param>
internal sealed class IndexExporter(ProfiledCases cases) : IExporter
{
    /// <inheritdoc />
    public string Name => SerializerProfileDiagnoser.Id;

    /// <inheritdoc />
    public void ExportToLog(Summary summary, ILogger logger) { }

    /// <inheritdoc />
    public IEnumerable<string> ExportToFiles(Summary summary, ILogger consoleLogger)
    {
        ArgumentNullException.ThrowIfNull(consoleLogger);
        var written = new List<string>();
        foreach (var folder in cases.Folders)
        {
            try
            {
                written.Add(folder.WriteIndex());
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                consoleLogger.WriteLineError($"{folder.Path}: the index of the recordings was not written: {exception.Message}");
            }
        }

        return written;
    }
}
