using System.Diagnostics;
using System.IO.Compression;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Profiles;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>Exports recordings to a file in another tool's format.</summary>
public static class ProfileExporter
{
    /// <summary>Reads and analyses recordings, and writes the file, which appears when it is complete.</summary>
    /// <param name="paths">A recording's folder, or files that belong together.</param>
    /// <param name="options">The format, the file, and which runs count.</param>
    /// <param name="pdbs">PDB files for Windows traces; null for none.</param>
    /// <param name="cancellation">Ends the export early; no file is left.</param>
    /// <exception cref="ExportException">The file exists, and the options do not say to overwrite it.</exception>
    /// <exception cref="TraceFormatException">Nothing can be read, or there are no CPU samples.</exception>
    /// <exception cref="Analysis.Cpu.NoRunMatchesException">No run matches the filter.</exception>
    /// <exception cref="IOException">A file cannot be read, or the disk is full.</exception>
    /// <exception cref="OperationCanceledException">The export was cancelled.</exception>
    public static ProfileExportResult Run(
        IReadOnlyList<string> paths,
        ProfileExportOptions options,
        PdbFiles? pdbs = null,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentNullException.ThrowIfNull(options);
        var watch = Stopwatch.StartNew();
        var format = ProfileFormatFacts.Of(options.Format);
        var source = Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(paths[0])));
        var file = options.File ?? (Directory.Exists(paths[0]) ? source : Path.GetFileNameWithoutExtension(source)) + format.Extension;
        if (File.Exists(file) && !options.Overwrite)
            throw new ExportException("the file exists", file, "name another file with -o, or replace it with --force");
        var document = Read(TraceRuns.OpenWithSamples(paths), options, source, pdbs);
        cancellation.ThrowIfCancellationRequested();
        var part = file + ".part";
        try
        {
            using (var stream = Create(part, file, format))
                format.Write(document, stream);
            cancellation.ThrowIfCancellationRequested();
            File.Move(part, file, overwrite: true);
        }
        finally
        {
            File.Delete(part);
        }

        return new ProfileExportResult(file, new FileInfo(file).Length, document, watch.Elapsed);
    }

    /// <summary>Reads the samples to export.</summary>
    /// <param name="input">The opened traces.</param>
    /// <param name="options">The format, and which runs count.</param>
    /// <param name="source">Name of the recording.</param>
    /// <param name="pdbs">PDB files for Windows traces; null for none.</param>
    public static ProfileDocument Read(TraceInput input, ProfileExportOptions options, string source, PdbFiles? pdbs = null)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(options);
        var files = SymbolFiles.Of(input, pdbs);
        var hasTimeLine = ProfileFormatFacts.Of(options.Format).HasTimeLine;
        var symbols = new SymbolReading(files, options.WithLines);
        var reading = new ProfileReading(
            new ProfileQuery(
                options.Filter,
                options.Grouping,
                hasTimeLine || (options.InOrder && options.Format == ProfileFormat.Speedscope),
                hasTimeLine
            ),
            symbols
        );
        var result = RunAnalysis.Run(input.Processes, input.Missing(), symbols, reading, causes: false, recordings: input.Recordings);
        var profile = reading.Result();
        return new ProfileDocument(
            profile,
            ProfileFacts.Of(input, result, profile, source, typeof(ProfileExporter).Assembly.GetName().Version?.ToString(3) ?? "")
        );
    }

    /// <summary>Writes a document, without compression.</summary>
    /// <param name="document">The document from <see cref="Read"/>.</param>
    /// <param name="format">The format.</param>
    /// <param name="stream">Receives the document.</param>
    public static void Write(ProfileDocument document, ProfileFormat format, Stream stream)
    {
        ArgumentNullException.ThrowIfNull(document);
        ProfileFormatFacts.Of(format).Write(document, stream);
    }

    private static Stream Create(string path, string name, ProfileFormatFacts format)
    {
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(System.IO.Path.GetFullPath(path))!);
        var file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, 1 << 16);
        return format.IsGzip || name.EndsWith(".gz", StringComparison.OrdinalIgnoreCase)
            ? new GZipStream(file, CompressionLevel.Fastest)
            : file;
    }
}

/// <summary>Result of an export.</summary>
/// <param name="Path">Path of the written file.</param>
/// <param name="Bytes">Its size.</param>
/// <param name="Document">Its content.</param>
/// <param name="Elapsed">Time from opening the recordings to the complete file.</param>
public sealed record ProfileExportResult(string Path, long Bytes, ProfileDocument Document, TimeSpan Elapsed);

/// <summary>Options of an export.</summary>
/// <param name="Format">The format.</param>
/// <param name="File">The file; null for a name made of the recording's name. A name that ends in .gz is written compressed.</param>
public sealed record ProfileExportOptions(ProfileFormat Format, string? File)
{
    /// <summary>Which runs count.</summary>
    public RunFilter Filter { get; init; } = new();

    /// <summary>Whether each row of the table, or each run, has a profile of its own.</summary>
    public ProfileGrouping Grouping { get; init; }

    /// <summary>
    /// Whether samples in speedscope's format stay in order of time, as they always do in the formats with a time line.
    /// </summary>
    public bool InOrder { get; init; }

    /// <summary>Whether frames have source lines: each line of a function is then a frame of its own.</summary>
    public bool WithLines { get; init; }

    /// <summary>Whether an existing file is replaced.</summary>
    public bool Overwrite { get; init; }
}
