using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Analyses made-up traces.</summary>
internal static class Synthetic
{
    public static AnalysisResult Analyze(params ITraceSource[] sources) => Analyze(sources, []);

    public static AnalysisResult Analyze(ITraceSource[] sources, RunCsvRow[] rows, params string[] problems) =>
        RunAnalysis.Run([new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", sources, rows)], problems);

    /// <summary>As recorded by attaching: all sessions were on from <paramref name="start"/> to <paramref name="stop"/> µs.</summary>
    public static AnalysisResult AnalyzeSpan(ITraceSource source, double start, double stop) =>
        RunAnalysis.Run(
            [
                new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [source], [])
                {
                    Span = new RecordedSpan((long)(start * 1000), (long)(stop * 1000), 1_000_000_000),
                },
            ],
            []
        );

    public static Run OnlyRun(SyntheticTrace trace) => Assert.Single(Analyze(trace).Runs);

    public static RunCsvRow Row(int id, double start, double stop, int planned = 0, long ticksPerSecond = 1_000_000_000) =>
        new(
            SyntheticTrace.Process,
            id,
            planned,
            SyntheticTrace.Identity(),
            SyntheticTrace.Measurement(start, stop) with
            {
                TicksPerSecond = ticksPerSecond,
            },
            ".NET 10.0"
        );

    public static string[] Codes(AnalysisResult result) => [.. result.Findings.Select(finding => finding.Code)];
}
