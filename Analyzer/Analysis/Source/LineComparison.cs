using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Source;

/// <summary>
/// The lines of the program's own code that two sides have, and what they cost: the platform's code counts to the line that calls it.
/// </summary>
/// <param name="Rows">The lines of each row, the largest difference first.</param>
/// <param name="BaselinePercent">Share of the first side's CPU time that lies in lines; null without samples.</param>
/// <param name="OtherPercent">The same of the other side.</param>
/// <param name="LeftOut">Rows that are not compared, because the sides ran other shares of the object counts.</param>
/// <param name="Problems">Files whose lines could not be paired, a sentence each.</param>
public sealed record LineComparison(
    IReadOnlyList<LineDifference> Rows,
    double? BaselinePercent,
    double? OtherPercent,
    IReadOnlyList<string> LeftOut,
    IReadOnlyList<string> Problems
)
{
    /// <summary>Compares.</summary>
    /// <param name="compared">The sides.</param>
    /// <param name="filter">Which runs count.</param>
    /// <param name="baseline">Stacks of the first side, with lines; null when it has none.</param>
    /// <param name="other">Stacks of the other side.</param>
    public static LineComparison Of(ComparisonResult compared, RunFilter filter, FlameSet? baseline, FlameSet? other)
    {
        ArgumentNullException.ThrowIfNull(compared);
        var (before, after) = (new SideSource(compared.Baseline, baseline), new SideSource(compared.Other, other));
        var pairs = new LinePairs(before.Text, after.Text);
        var rows = new List<LineDifference>();
        var alike = FlamePairs.Of(compared, filter, out var leftOut);
        foreach (var (key, runs) in alike)
        {
            var (first, second) = (before.Costs(key, runs.Base), after.Costs(key, runs.Other));
            rows.AddRange(
                pairs
                    .Of(first.Keys, second.Keys)
                    .Select(pair => Difference(key, pair, first, second))
                    .OrderByDescending(row => Math.Abs(row.DifferenceMs))
                    .ThenBy(row => row.ToString(), StringComparer.Ordinal)
            );
        }

        return new LineComparison(rows, before.Percent, after.Percent, leftOut, [.. before.Problems.Union(after.Problems)]);

        LineDifference Difference(
            SummaryKey key,
            LinePair pair,
            Dictionary<OwnLine, (double Ms, double Error)> first,
            Dictionary<OwnLine, (double Ms, double Error)> second
        )
        {
            var (from, to) = (
                pair.Before is { } old ? first.GetValueOrDefault(old) : default,
                pair.After is { } now ? second.GetValueOrDefault(now) : default
            );
            var text = pair.After is { } line
                ? LinePairs.TextOf(line.Line, after.Text)
                : LinePairs.TextOf(pair.Before!.Value.Line, before.Text);
            var change =
                pair.Before is null ? LineChange.Added
                : pair.After is null ? LineChange.Removed
                : pair.IsEdited ? LineChange.Edited
                : LineChange.None;
            return new LineDifference(
                key,
                pair.Before,
                pair.After,
                change,
                text,
                from.Ms,
                to.Ms,
                Math.Sqrt((from.Error * from.Error) + (to.Error * to.Error))
            );
        }
    }

    /// <summary>The lines of one side.</summary>
    private sealed class SideSource(ComparedSide side, FlameSet? flames)
    {
        private readonly Dictionary<string, SourceText> _texts = [];

        public double? Percent =>
            flames is { Trees.Count: > 0 }
                ? 100.0 * flames.Trees.Sum(tree => tree.Lines.Sum(line => line.Ticks)) / flames.Trees.Sum(tree => tree.Ticks)
                : null;

        public IEnumerable<string> Problems => _texts.Values.Select(text => text.Problem).Where(problem => problem.Length > 0).Distinct();

        public SourceText Text(string file)
        {
            if (!_texts.TryGetValue(file, out var text))
            {
                var texts = side.Recordings.Select(recording => recording.Files?.SourceText(file)).OfType<SourceText>().ToList();
                _texts.Add(
                    file,
                    text = texts.Find(one => one.Problem.Length == 0) ?? texts.FirstOrDefault() ?? SourceText.None($"no PDB names {file}")
                );
            }

            return text;
        }

        /// <summary>Mean CPU time of a run in each line, in ms, and its standard error: n samples stand for n ± √n.</summary>
        public Dictionary<OwnLine, (double Ms, double Error)> Costs(SummaryKey key, int runs) =>
            flames?.Trees.FirstOrDefault(tree => tree.Runs == key) is not { } tree
                ? []
                : tree.Lines.ToDictionary(
                    line => line.Line,
                    line =>
                        (
                            flames.ToMilliseconds(line.Ticks) / runs,
                            flames.ToMilliseconds(1) * Math.Sqrt((double)line.Ticks * tree.Ticks / Math.Max(1, tree.Samples)) / runs
                        )
                );
    }
}

/// <summary>A line of the program on two sides. Means in ms of CPU time a run.</summary>
/// <param name="Key">The row.</param>
/// <param name="Baseline">The line in the first side's build; null when that has no such line.</param>
/// <param name="Other">The line in the other side's build; null when that has no such line.</param>
/// <param name="Change">What became of the line.</param>
/// <param name="Text">Its text in the newest build that has it, without white space around it; empty when it cannot be read.</param>
/// <param name="BaselineMs">Time of the first side.</param>
/// <param name="OtherMs">Time of the other side.</param>
/// <param name="ErrorMs">Standard error of the difference that comes from sampling.</param>
public sealed record LineDifference(
    SummaryKey Key,
    OwnLine? Baseline,
    OwnLine? Other,
    LineChange Change,
    string Text,
    double BaselineMs,
    double OtherMs,
    double ErrorMs
)
{
    /// <summary>The line in the newest build that has it.</summary>
    public OwnLine Newest => (Other ?? Baseline)!.Value;

    /// <summary>The other side minus the first.</summary>
    public double DifferenceMs => OtherMs - BaselineMs;
}

/// <summary>What became of a line between two builds.</summary>
public enum LineChange
{
    /// <summary>The line is the same; it may have moved.</summary>
    None,

    /// <summary>The text of the line changed.</summary>
    Edited,

    /// <summary>Only the other build has the line.</summary>
    Added,

    /// <summary>Only the first build has the line.</summary>
    Removed,
}
