using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Source;

/// <summary>What a line of a method cost.</summary>
/// <param name="Method">Name of the method.</param>
/// <param name="Line">The line.</param>
/// <param name="Samples">Samples that hit it.</param>
/// <param name="CpuMs">CPU time that these represent, in ms.</param>
/// <param name="InlinedCpuMs">Of this, where the method was inlined into another one, in ms.</param>
/// <param name="InclusiveCpuMs">CPU time of the line and of what it calls, in ms.</param>
/// <param name="Causes">The latter by cause; null when causes are not known.</param>
public readonly record struct LineCost(
    string Method,
    SourceLine Line,
    long Samples,
    double CpuMs,
    double InlinedCpuMs,
    double InclusiveCpuMs,
    CauseTimes? Causes
)
{
    /// <summary>The lines among the rows of a report by line.</summary>
    public static IEnumerable<LineCost> Of(IEnumerable<CpuRow> rows) =>
        rows.Where(row => row.Line is not null)
            .Select(row => new LineCost(
                row.Name,
                row.Line!,
                row.Samples,
                row.CpuMs,
                row.IsInlined ? row.CpuMs : 0,
                row.InclusiveCpuMs,
                row.Causes
            ));

    /// <summary>The lines of a program's own methods: their time is that of the platform's code that they call, too.</summary>
    /// <param name="flames">Has the time of ticks.</param>
    /// <param name="tree">The program's stacks.</param>
    public static IEnumerable<LineCost> Of(FlameSet flames, FlameTree tree)
    {
        ArgumentNullException.ThrowIfNull(flames);
        ArgumentNullException.ThrowIfNull(tree);
        return tree.Lines.Select(line =>
            flames.ToMilliseconds(line.Ticks) is var ms
                ? new LineCost(line.Line.Method, line.Line.Line, 0, ms, 0, ms, line.Causes)
                : default
        );
    }
}
