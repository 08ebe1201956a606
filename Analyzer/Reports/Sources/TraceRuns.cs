using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Contents;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Timelines;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Reports.Sources;

/// <summary>Runs from recordings and trace files.</summary>
/// <param name="paths">Recordings' folders, or the files of one recording.</param>
/// <param name="pdbs">PDB files for Windows traces; null for none.</param>
public sealed class TraceRuns(IReadOnlyList<string> paths, PdbFiles? pdbs = null) : IRunSource
{
    /// <inheritdoc />
    public IReadOnlyList<string> Paths => paths;

    /// <summary>The program's own files that <see cref="Read"/> copies into its recording.</summary>
    public KeptFiles Keep { get; init; }

    /// <inheritdoc />
    public RunReading Read(RunParts parts)
    {
        var withSamples = parts.HasFlag(RunParts.Samples);
        var input = withSamples ? OpenWithSamples(paths) : TraceInputReader.Open(paths);
        var files = SymbolFiles.Of(input, pdbs);
        if (!parts.HasFlag(RunParts.Findings))
        {
            var result = RunAnalysis.Run(
                input.Processes,
                input.Missing(),
                new SymbolReading(files),
                recordings: input.Recordings,
                leftOut: input.LeftOut
            );
            return withSamples
                ? new RunReading(input, result) { SymbolProblems = files.Problems }
                : new RunReading(input, WithPdbProblems(result, files));
        }

        var flames = parts.HasFlag(RunParts.Stacks) ? new FlameReading() : null;
        var timeline = parts.HasFlag(RunParts.Pictures) ? new TimelineReading() : null;
        var read = FindingAnalysis.Run(input, input.Missing(), files, flames, timeline);
        var found = WithPdbProblems(read.Result, files);
        if (KeepFiles(files) is { } notKept)
            found = found with { Findings = [notKept, .. found.Findings] };
        if (parts.HasFlag(RunParts.Contents))
            found = WithContents(found, [.. paths.Select(path => TracePart.Divide(path).Path).Where(TraceInputReader.IsWindowsTrace)]);
        return new RunReading(input, found)
        {
            NotRecorded = read.NotRecorded,
            FirstCalls = read.FirstCalls,
            Allocations = read.Allocations,
            AllocationsByOwn = read.AllocationsByOwn,
            Waits = read.Waits,
            Requests = read.Requests,
            Flames = flames,
            Files = flames is null ? null : files,
            Timeline = timeline,
        };
    }

    /// <inheritdoc />
    public IEnumerable<ComparedRecording> ReadEach(SideQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return paths
            .SelectMany(RecordingSets.Expand)
            .Select(path =>
            {
                var input = TraceInputReader.Open([path]);
                var files = SymbolFiles.Of(input, pdbs);
                var symbols = new SymbolReading(files, query.Lines);
                return new ComparedRecording(
                    path,
                    input,
                    RunAnalysis.Run(
                        input.Processes,
                        input.Missing(),
                        symbols,
                        query.Flames?.Reader(symbols),
                        causeMethods: query.Methods,
                        recordings: input.Recordings
                    )
                )
                {
                    Files = files,
                };
            });
    }

    /// <summary>Copies the program's own files. A failure is only a warning, because the recording is complete without them.</summary>
    private Finding? KeepFiles(SymbolFiles files)
    {
        try
        {
            return files.Keep(Keep) is [_, ..] tooLarge
                ? new Finding(
                    FindingKind.Hint,
                    "program-files",
                    $"the recording keeps no symbols of {string.Join(", ", tooLarge)}: there are too many; on another machine their functions have no names"
                )
                : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return new Finding(
                FindingKind.Warning,
                "program-files",
                $"not all of the program's files were copied into the recording ({exception.Message.TrimEnd('.')}); after the next build, names of inlined methods and lines will be missing"
            );
        }
    }

    /// <summary>Adds findings on PDB files, if any were named.</summary>
    internal static AnalysisResult WithPdbProblems(AnalysisResult result, SymbolFiles files) =>
        result with
        {
            Findings = [.. result.Findings, .. files.PdbProblems.Select(problem => new Finding(FindingKind.Hint, "symbols", problem))],
        };

    /// <summary>Opens a recording that has CPU samples.</summary>
    /// <exception cref="TraceFormatException">The recording has no CPU samples.</exception>
    internal static TraceInput OpenWithSamples(IReadOnlyList<string> paths)
    {
        var input = TraceInputReader.Open(paths);
        return CpuAnalysis.HasSamples(input.Processes) ? input : throw NoSamples(paths[0], input);
    }

    private static TraceFormatException NoSamples(string path, TraceInput input)
    {
        var (found, fix) = WhyNoSamples(input);
        return new TraceFormatException(path, null, "CPU samples", found, fix);
    }

    private static (string Found, string Fix) WhyNoSamples(TraceInput input) =>
        input.Recordings.Select(recording => recording.Description.Kernel).FirstOrDefault(kernel => kernel is { Error.Length: > 0 })
            is { } kernel
            ? ($"the kernel session {kernel.Error.TrimEnd('.')}", "check perf events with 'esp-record doctor', then record again")
        : input.Processes.Any(process => process.Sources.Any(source => source is EtwSource))
            ? ("the trace has none", "also record the kernel's CPU samples (Profile) with their stacks")
        : input.Recordings.Count == 0
            ? (
                "the trace has none",
                "name the folder of a recording of esp-record, or a trace with EventPipe's sample profiler (dotnet-trace collect)"
            )
        : ("the recording has none", "record again on Linux with the perf session (esp-record --sessions clr,code,perf, the default)");

    /// <summary>
    /// Adds findings on a Windows trace as a whole: its clock, its buffers, unsorted events. Omits those that the rules on runs already
    /// reported.
    /// </summary>
    private static AnalysisResult WithContents(AnalysisResult result, IReadOnlyList<string> paths)
    {
        if (paths.Count == 0)
            return result;
        var known = result.Findings.Select(finding => finding.Code).ToHashSet();
        var more = ContentsFindings
            .Check(TraceContentsReader.Read(paths, byProcess: false))
            .Where(finding => !known.Contains(finding.Code));
        return result with { Findings = [.. result.Findings.Concat(more).OrderBy(finding => finding.Kind)] };
    }
}
