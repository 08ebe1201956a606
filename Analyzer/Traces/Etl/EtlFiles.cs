using EtwSerializerProfiler.Etl.Reading;

namespace EtwSerializerProfiler.Etl;

/// <summary>
/// The files of a trace, opened for several reads: archives are extracted once, to temporary files that are deleted with this object.
/// </summary>
public sealed class EtlFiles : IDisposable
{
    private EtlFiles(List<TraceBytes> files) => Files = files;

    internal List<TraceBytes> Files { get; }

    /// <summary>Opens the files of one session, or of simultaneous sessions.</summary>
    /// <param name="paths">.etl files and archives of them (.zip, .etl.zip, .diagsession).</param>
    /// <param name="options">Limits for extracting archives.</param>
    /// <exception cref="EtlFormatException">An archive has no .etl file, or cannot be extracted.</exception>
    /// <exception cref="IOException">A file cannot be opened or read.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to a file is denied, or a path is a folder.</exception>
    public static EtlFiles Open(IReadOnlyList<string> paths, EtlReadOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentOutOfRangeException.ThrowIfZero(paths.Count, nameof(paths));
        return new EtlFiles(TraceFiles.Open(paths, options ?? new EtlReadOptions()));
    }

    /// <summary>Closes the files; their readers must be done.</summary>
    public void Dispose()
    {
        foreach (var file in Files)
            file.Dispose();
    }
}
