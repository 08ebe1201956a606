using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Stores.Reading;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Reports;

/// <summary>
/// Combines traces of stores to one source, like recordings named together: each gets a label that distinguishes its rows.
/// </summary>
/// <param name="paths">Stores with their selections.</param>
public sealed class StoredRuns(IReadOnlyList<string> paths) : IRunSource
{
    private const string EtlFormat = "etl";

    /// <inheritdoc />
    public IReadOnlyList<string> Paths => paths;

    /// <inheritdoc />
    /// <exception cref="StoreException">A store cannot be read, no trace matches, or the user also named recordings.</exception>
    public RunReading Read(RunParts parts)
    {
        if (paths.FirstOrDefault(path => !StoreAddress.IsStore(path)) is { } other)
            throw new StoreException(
                new Problem(
                    "a recording and a store cannot be in one table",
                    other,
                    "name only recordings or only stores; diff and trend accept both"
                )
            )
            {
                IsUsage = true,
            };
        var traces = paths.SelectMany(path => StoredTraceReader.Read(StoreAddress.Parse(path), StoredParts.Runs)).ToList();
        var formats = traces.Select(trace => trace.Trace.Format).ToHashSet();
        var all = traces is [var only] ? only with { Input = only.Input with { Paths = paths } } : Merge(traces);
        if (parts.HasFlag(RunParts.Samples) && all.Result.Runs.All(run => run.Causes is null))
            throw new TraceFormatException(
                paths[0],
                null,
                "traces with CPU samples",
                "they have none",
                "select others after the '#', or record with the perf session (esp-record --sessions clr,code,perf, the default) and extract again"
            );
        return new RunReading(all.Input, parts.HasFlag(RunParts.Findings) ? all.Result with { Findings = all.Findings } : all.Result)
        {
            NotRecorded = all.NotRecorded,
            Notes = [.. Notes(parts, all, formats)],
        };
    }

    /// <inheritdoc />
    /// <exception cref="StoreException">A store cannot be read, or no trace matches.</exception>
    public IEnumerable<ComparedRecording> ReadEach(SideQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        var parts = StoredParts.Runs | (query.Methods ? StoredParts.Methods : 0) | (query.Allocations ? StoredParts.Allocations : 0);
        return paths
            .SelectMany(path => StoredTraceReader.Read(StoreAddress.Parse(path), parts))
            .Select(trace => new ComparedRecording(trace.Trace.Name, trace.Input, trace.Result)
            {
                IsStored = true,
                StoredAllocations = trace.Allocations,
            });
    }

    /// <summary>Lists what a report of the recording itself would also show.</summary>
    private static IEnumerable<string> Notes(RunParts parts, StoredAnalysis all, HashSet<string> formats)
    {
        if (parts.HasFlag(RunParts.Pictures))
            yield return "Not stored: timeline and flame graphs (see esp-analyze report on the recording)";
        var firstCalls = all.Result.Runs.Count(run => run.Identity.Kind == RunKind.FirstCall);
        if (parts.HasFlag(RunParts.Contents) && formats.Contains(EtlFormat))
            yield return "Not stored: clock and buffers of a Windows trace (see esp-analyze findings on the file)";
        else if (parts.HasFlag(RunParts.Findings) && !parts.HasFlag(RunParts.Contents) && firstCalls > 0)
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"Not stored: parts of {firstCalls} first calls (see esp-analyze firstcalls on the recording)"
            );
        if (all.NotStored.Count > 0)
            yield return $"Not stored: {string.Join(", ", all.NotStored)} (because of --only at extraction); values that need these tables appear as not recorded";
    }

    private StoredAnalysis Merge(List<StoredAnalysis> traces)
    {
        var labels = Labels(traces);
        var several = labels.Zip(traces).Select(pair => Labelled(pair.Second, pair.First)).ToList();
        var runs = several.SelectMany(item => item.Result.Runs).ToList();
        var isSeveral = runs.Select(run => run.Runtime).Where(name => name.Length > 0).Distinct().Count() > 1;
        runs = runs.ConvertAll(run => run with { IsOneOfSeveralRuntimes = isSeveral });
        var byProcess = runs.ToLookup(run => run.Process);
        var input = new TraceInput(
            paths,
            [.. several.SelectMany(item => item.Input.Processes)],
            [.. several.SelectMany(item => item.Input.Recordings)],
            HasRunCsv: false,
            [],
            [.. several.SelectMany(item => item.Input.FilesRead).Distinct()]
        )
        {
            Environments = [.. several.SelectMany(item => item.Input.Environments)],
        };
        var result = new AnalysisResult
        {
            Processes =
            [
                .. several
                    .SelectMany(item => item.Result.Processes)
                    .Select(process => process with { Runs = [.. byProcess[process.Process]] }),
            ],
            UnmarkedProcesses = [.. several.SelectMany(item => item.Result.UnmarkedProcesses)],
            Runs = runs,
            Rows = SummaryRow.Group(runs.Where(run => run.Identity.Kind == RunKind.Measured)),
            FirstUseRows = SummaryRow.Group(RunAnalysis.FirstUses(runs)),
            Recordings = [.. several.SelectMany(item => item.Result.Recordings)],
            Damages = [.. several.SelectMany(item => item.Result.Damages)],
            InputProblems = [.. several.SelectMany(item => item.Result.InputProblems)],
        };
        return several[0] with
        {
            Input = input,
            Result = result with { Findings = FindingRules.Check(new FindingInput(result) { Recordings = input.Recordings }) },
            Findings = [.. several.SelectMany(item => item.Findings).OrderBy(finding => finding.Kind)],
            NotRecorded = [.. several.SelectMany(item => item.NotRecorded).Distinct()],
            NotStored = [.. several.SelectMany(item => item.NotStored).Distinct()],
        };
    }

    /// <summary>Adds a label to a trace's rows, like that of a recording named with others.</summary>
    private static StoredAnalysis Labelled(StoredAnalysis trace, string label)
    {
        return trace with
        {
            Input = trace.Input with
            {
                Processes = [.. trace.Input.Processes.Select(process => process with { Label = Of(process.Label) })],
                Recordings = [.. trace.Input.Recordings.Select(recording => recording with { Label = Of(recording.Label) })],
                Environments = trace.Input.Environments,
            },
            Result = trace.Result with
            {
                Runs = [.. trace.Result.Runs.Select(run => run with { Process = KeyOf(run.Process), Runtime = Of(run.Process.Recording) })],
                Processes = [.. trace.Result.Processes.Select(process => process with { Process = KeyOf(process.Process) })],
                UnmarkedProcesses = [.. trace.Result.UnmarkedProcesses.Select(process => $"{label}: {process}")],
                Recordings = [.. trace.Result.Recordings.Select(facts => facts with { Label = Of(facts.Label) })],
                InputProblems = [.. trace.Result.InputProblems.Select(problem => $"{label}: {problem}")],
            },
            Findings =
            [
                .. trace.Findings.Select(finding =>
                    finding with
                    {
                        Text = $"{label}: {finding.Text}",
                        Locations = [.. finding.Locations.Select(place => place with { Process = KeyOf(place.Process) })],
                    }
                ),
            ],
        };

        string Of(string own) => own.Length > 0 ? $"{label} {own}" : label;

        ProcessKey KeyOf(ProcessKey process) => process with { Recording = Of(process.Recording) };
    }

    /// <summary>Names of the folders or files; repeated names get the trace's id.</summary>
    private static List<string> Labels(List<StoredAnalysis> traces)
    {
        var names = traces.ConvertAll(trace =>
        {
            var (path, part) = TracePart.Divide(trace.Trace.Name);
            return Path.GetFileName(path.Replace('\\', '/').TrimEnd('/')) + part;
        });
        return names.Distinct().Count() == names.Count ? names : [.. names.Zip(traces, (name, trace) => $"{name} {trace.Trace.Trace}")];
    }
}
