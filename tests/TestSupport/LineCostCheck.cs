using System.Globalization;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Compares the lines of a recording of TestProgram's mode <c>lines</c> with the costs in the program's source.</summary>
public sealed partial class LineCostCheck
{
    /// <summary>Total parts of a run of all lines of the program; the lines of Outer and Inner are within those of Sums.</summary>
    private const double Parts = 36;

    private const string Program = "KnownLineCosts";

    /// <summary>Reads a call tree by lines.</summary>
    /// <remarks>
    /// Only samples in the program's own code count. The source does not say what the runtime does below a line, and under load that takes
    /// several times as long (docs/internals/attribution-truth.md, Source lines).
    /// </remarks>
    /// <param name="nodes">
    /// Its nodes, callers before what they call, with the samples whose leaf they are; the file is empty and the line 0 where no line is
    /// known.
    /// </param>
    public LineCostCheck(IEnumerable<(int Depth, string Name, string File, int Line, long Samples)> nodes)
    {
        ArgumentNullException.ThrowIfNull(nodes);
        var (path, lines) = (new List<int>(), new Dictionary<int, long>());
        foreach (var (depth, name, file, line, samples) in nodes)
        {
            path.RemoveRange(depth, path.Count - depth);
            path.Add(file.EndsWith($"{Program}.cs", StringComparison.Ordinal) ? line : 0);
            if (samples == 0 || !name.StartsWith(Program, StringComparison.Ordinal))
                continue;
            Samples += samples;
            foreach (var own in path.Distinct())
                lines[own] = lines.GetValueOrDefault(own) + samples;
        }

        Lines =
        [
            .. File.ReadLines(Path.Combine(TestFiles.Root, "tests", "TestProgram", $"{Program}.cs"))
                .Select((text, index) => (Line: index + 1, Cost: CostOf().Match(text)))
                .Where(item => item.Cost.Success)
                .Select(item => new LineShare(
                    item.Line,
                    int.Parse(item.Cost.Groups[1].ValueSpan, CultureInfo.InvariantCulture) / Parts,
                    item.Cost.Groups[2].Success,
                    Samples > 0 ? lines.GetValueOrDefault(item.Line) / (double)Samples : 0
                )),
        ];
    }

    /// <summary>Samples in the program's methods.</summary>
    public long Samples { get; }

    /// <summary>Lines of known cost, in the order of the source.</summary>
    public IReadOnlyList<LineShare> Lines { get; }

    [GeneratedRegex(@"// cost (\d+)( or none)?$")]
    private static partial Regex CostOf();
}

/// <summary>A line of known cost.</summary>
/// <param name="Line">Its number, from 1.</param>
/// <param name="Expected">Share of the program's time by the comment in the source, with what the line calls, 0 to 1.</param>
/// <param name="OrNone">Whether optimized code without inlining may leave its samples without a line.</param>
/// <param name="Measured">Share of the samples in the program's methods that have the line on their stack, 0 to 1.</param>
public readonly record struct LineShare(int Line, double Expected, bool OrNone, double Measured);
