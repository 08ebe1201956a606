namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>
/// What the difference of two sides is made of. Medians cannot be taken apart, so this is about means over the runs that are compared: the mean wall time is the sum of its
/// parts, run by run, and the means of the parts add up to it.
/// </summary>
public sealed record Explanation
{
    /// <summary>Whether the parts make up CPU time of the whole process instead of wall time: of runs on several threads, and of programs that mark no runs.</summary>
    public required bool IsCpuTime { get; init; }

    /// <summary>Mean of the first side in ms a run.</summary>
    public required double BaselineMs { get; init; }

    /// <summary>Mean of the other side in ms a run.</summary>
    public required double OtherMs { get; init; }

    /// <summary>All parts that were measured, the largest difference first.</summary>
    public required IReadOnlyList<ExplainedPart> Parts { get; init; }

    /// <summary>Whether CPU samples tell causes; without them only waits and pauses are known.</summary>
    public required bool HasCauses { get; init; }

    /// <summary>The other side minus the first, in ms a run.</summary>
    public double DifferenceMs => OtherMs - BaselineMs;

    /// <summary>
    /// The parts that explain the difference, from the largest down: those that are more than sampling makes of nothing, until what is left is less than a twentieth of the
    /// difference. Of a cause that is not, a method can be: few samples of a method that the other side does not have stand out, and are lost in the many of the whole cause.
    /// </summary>
    public IReadOnlyList<ExplainedPart> Shown
    {
        get
        {
            var shown = new List<ExplainedPart>();
            var left = DifferenceMs;
            foreach (var part in Parts.SelectMany(part => part.IsSignificant ? [part] : part.Methods.Where(method => method.StandsOut).Select(method => method.AsPart()))
                .Where(part => Math.Abs(part.DifferenceMs) >= SmallestShare * Math.Abs(DifferenceMs)).OrderByDescending(part => Math.Abs(part.DifferenceMs)))
            {
                if (shown.Count > 0 && Math.Abs(left) < SmallestShare * Math.Abs(DifferenceMs))
                    break;
                shown.Add(part);
                left -= part.DifferenceMs;
            }

            return shown;
        }
    }

    /// <summary>What the shown parts leave over, in ms a run.</summary>
    public double RestMs => DifferenceMs - Shown.Sum(part => part.DifferenceMs);

    /// <summary>The rest as a share of the difference in %; null without a difference.</summary>
    public double? RestPercent => DifferenceMs != 0 ? Math.Abs(RestMs / DifferenceMs) * 100 : null;

    private const double SmallestShare = 0.05;
}
