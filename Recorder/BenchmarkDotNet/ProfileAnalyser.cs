using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Reports;
using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>Reports the findings of the recordings as hints of the summary, and what is missing from them as warnings.</summary>
/// <param name="cases">The recordings.</param>
internal sealed class ProfileAnalyser(ProfiledCases cases) : IAnalyser
{
    /// <summary>
    /// Findings that do not apply here: BenchmarkDotNet judges the times itself, columns are per operation, and problems are reported as
    /// warnings.
    /// </summary>
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
                yield return finding.Kind == FindingKind.Warning
                    ? Conclusion.CreateWarning(Id, finding.Text, report)
                    : Conclusion.CreateHint(Id, finding.Text, report);
        }
    }
}
