using System.Globalization;
using EtwSerializerProfiler.Reports.Profiles;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Reports;

/// <summary>Exports a recording and prints what was written.</summary>
public static class ExportText
{
    private const double BytesPerMegabyte = 1e6;

    /// <summary>Exports a recording as an .etl and prints what was written, what is not in it, and how to open it.</summary>
    /// <param name="paths">The recording's folder, or files that belong together.</param>
    /// <param name="options">Target file and options of the export.</param>
    /// <param name="output">Receives the text.</param>
    /// <param name="cancellation">Cancels the export.</param>
    /// <exception cref="ExportException">The recording cannot be exported, or not to this path.</exception>
    /// <exception cref="Traces.TraceFormatException">Nothing in it can be read.</exception>
    /// <exception cref="IOException">A file cannot be read, or the disk is full.</exception>
    public static TraceExportResult Export(
        IReadOnlyList<string> paths,
        TraceExportOptions options,
        TextWriter output,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(output);
        var input = TraceInputReader.Open(paths);
        var result = EtlExporter.Run(input, SymbolFiles.Of(input), options, cancellation);
        Write(result, output);
        return result;
    }

    /// <summary>Exports a recording as a .nettrace file and prints what was written, what is not in it, and how to open it.</summary>
    /// <inheritdoc cref="Export(IReadOnlyList{string}, TraceExportOptions, TextWriter, CancellationToken)"/>
    public static TraceExportResult ExportNetTrace(
        IReadOnlyList<string> paths,
        TraceExportOptions options,
        TextWriter output,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(output);
        var input = TraceInputReader.Open(paths);
        var result = NetTraceExporter.Run(input, SymbolFiles.Of(input), options, cancellation);
        WriteContent(result, "the file's sequence numbers show them", output);
        output.WriteLine("Open it with");
        output.WriteLine($"  esp-analyze table {result.Path}");
        output.WriteLine("  PerfView: PerfView FILE.nettrace, then CPU Stacks, Thread Time and GCStats");
        output.WriteLine("  TraceEvent: EventPipeEventSource, or TraceLog.CreateFromEventPipeDataFile");
        output.WriteLine("Not yet tested in PerfView: docs/exports.md describes the checks made.");
        return result;
    }

    /// <summary>Prints what was written.</summary>
    public static void Write(TraceExportResult result, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(output);
        WriteContent(result, "the file's header counts them", output);
        output.WriteLine("Open it with");
        output.WriteLine($"  esp-analyze table {result.Path}");
        output.WriteLine(
            "  WPA: wpa FILE.etl; no symbols are needed: names of managed, native and kernel code come from the trace (Trace > Trace Properties lists the providers)"
        );
        output.WriteLine("  PerfView: PerfView FILE.etl, then CPU Stacks and GCStats");
        output.WriteLine("Not yet tested on Windows: docs/etl-export.md describes the checks made.");
    }

    private static void WriteContent(TraceExportResult result, string losses, TextWriter output)
    {
        output.WriteLine(
            $"Written: {result.Path}, {Megabytes(result.FileBytes)} of {Megabytes(result.RecordedBytes)} recorded, in {result.Elapsed.TotalSeconds.ToString("N1", CultureInfo.InvariantCulture)} s."
        );
        output.WriteLine();
        var width = result.Events.Count == 0 ? 0 : result.Events.Max(pair => Number(pair.Count).Length);
        foreach (var (kind, count) in result.Events)
            output.WriteLine($"  {Number(count).PadLeft(width)}  {kind}");
        output.WriteLine();
        if (result.LostEvents > 0)
            output.WriteLine($"Lost while recording: {Number(result.LostEvents)} events; {losses}.");
        foreach (var problem in result.Problems)
            output.WriteLine($"Warning: {problem}.");
        if (result.Missing.Count > 0)
        {
            output.WriteLine("Not exported:");
            foreach (var missing in result.Missing)
                output.WriteLine($"  - {missing}");
            output.WriteLine();
        }
    }

    /// <summary>Exports the CPU samples of a recording and prints what was written, what is missing, and what opens it.</summary>
    /// <param name="paths">The recording's folder, or files that belong together.</param>
    /// <param name="options">Format, selection and target file.</param>
    /// <param name="pdbs">PDB files for Windows traces; null for none.</param>
    /// <param name="output">Receives the text.</param>
    /// <param name="cancellation">Cancels the export.</param>
    /// <inheritdoc cref="ProfileExporter.Run"/>
    public static ProfileExportResult Export(
        IReadOnlyList<string> paths,
        ProfileExportOptions options,
        PdbFiles? pdbs,
        TextWriter output,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(output);
        var result = ProfileExporter.Run(paths, options, pdbs, cancellation);
        var (profile, facts) = result.Document;
        output.WriteLine(
            $"Written: {result.Path}, {Megabytes(result.Bytes)}, in {result.Elapsed.TotalSeconds.ToString("N1", CultureInfo.InvariantCulture)} s: {Number(profile.SampleCount)} samples ({(profile.CpuNs / 1e6).ToString("N1", CultureInfo.InvariantCulture)} ms of CPU time), {Number(profile.Stacks.Count)} different stacks, {profile.Groups.Count} groups of runs{(profile.Events.Count > 0 ? $", {Number(profile.Events.Count)} events" : "")}."
        );
        output.WriteLine($"Completeness: {facts.Completeness}.");
        foreach (var loss in facts.Losses)
            output.WriteLine($"Warning: {loss}.");
        output.WriteLine("Open it with " + ProfileFormatFacts.Of(options.Format).OpenedBy);
        return result;
    }

    private static string Megabytes(long bytes) => (bytes / BytesPerMegabyte).ToString("N1", CultureInfo.InvariantCulture) + " MB";

    private static string Number(long value) => value.ToString("N0", CultureInfo.InvariantCulture);
}
