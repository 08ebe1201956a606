using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Reports;
using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>Findings of the recordings, and what is missing from them, as hints and warnings of the summary.</summary>
/// <param name="cases">The recordings.</param>
internal sealed class ProfileAnalyser(ProfiledCases cases) : IAnalyser
{
    /// <summary>Codes that say nothing here: BenchmarkDotNet judges its times itself, columns are by operation, and problems are told as such.</summary>
    private static readonly HashSet<string> s_leftOut = ["spread", "short-runs", "delimiter-error", "iterations", "input"];

    /// <inheritdoc />
    public string Id => SerializerProfileDiagnoser.Id;

    /// <inheritdoc />
    public IEnumerable<Conclusion> Analyse(Summary summary)
    {
        ArgumentNullException.ThrowIfNull(summary);
        foreach (var report in summary.Reports)
        {
            if (cases.Find(report.BenchmarkCase) is not { } profiled)
                continue;
            foreach (var problem in profiled.Problems)
                yield return Conclusion.CreateWarning(Id, problem, report);
            foreach (var finding in profiled.Findings.Where(finding => !s_leftOut.Contains(finding.Code)))
                yield return finding.Kind == FindingKind.Warning ? Conclusion.CreateWarning(Id, finding.Text, report) : Conclusion.CreateHint(Id, finding.Text, report);
        }
    }
}
