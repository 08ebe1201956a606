using System.Globalization;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>Runs whose samples stand together in a profile.</summary>
/// <param name="Runs">The table's row they belong to.</param>
/// <param name="Run">The only one of them, when each run is a group.</param>
public sealed record ProfileGroup(SummaryKey Runs, Run? Run)
{
    /// <summary>The group in words: <c>Newtonsoft.Json Deserialize N=1000, run 12</c>.</summary>
    public string Title => Run is null ? Runs.ToString() : string.Create(CultureInfo.InvariantCulture, $"{Runs}, run {Run.RunId}");
}
