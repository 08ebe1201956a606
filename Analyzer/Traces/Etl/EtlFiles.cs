using EtwSerializerProfiler.Etl.Reading;

namespace EtwSerializerProfiler.Etl;

/// <summary>The files of a trace, opened to be read several times: archives are unpacked once, into temporary files that go with this.</summary>
public sealed class EtlFiles : IDisposable
{
    private EtlFiles(List<TraceBytes> files) => Files = files;

    internal List<TraceBytes> Files { get; }

    /// <summary>Opens the files of one session, or of sessions that ran at the same time.</summary>
    /// <param name="paths">.etl files and archives of them (.zip, .etl.zip, .diagsession).</param>
    /// <param name="options">How much of an archive is unpacked.</param>
    /// <exception cref="EtlFormatException">An archive has no .etl file or cannot be unpacked.</exception>
    /// <exception cref="IOException">One cannot be opened or read.</exception>
    /// <exception cref="UnauthorizedAccessException">One may not be read, or is a folder.</exception>
    public static EtlFiles Open(IReadOnlyList<string> paths, EtlReadOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentOutOfRangeException.ThrowIfZero(paths.Count, nameof(paths));
        return new EtlFiles(TraceFiles.Open(paths, options ?? new EtlReadOptions()));
    }

    /// <summary>Closes the files; readers of them are done.</summary>
    public void Dispose()
    {
        foreach (var file in Files)
            file.Dispose();
    }
}
