using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Source;

/// <summary>A method's source with what each of its lines cost.</summary>
/// <param name="Method">Full name of the method.</param>
/// <param name="File">Path of the source file as the compiler had it.</param>
/// <param name="Lines">Lines with a cost, and those around them; ascending.</param>
/// <param name="Problem">Why the lines have no text; empty when they have.</param>
public sealed record MethodSource(string Method, string File, IReadOnlyList<CostedLine> Lines, string Problem)
{
    /// <summary>Lines without a cost before the first and after the last one of a method.</summary>
    private const int Margin = 2;

    /// <summary>As many lines in a row may have no cost between others; of more, those next to a line with a cost are shown.</summary>
    private const int MaxGap = 6;

    /// <summary>CPU time of the samples that hit its lines, in ms.</summary>
    public double CpuMs => Lines.Sum(line => line.CpuMs);

    /// <summary>Finds methods by their lines.</summary>
    /// <param name="costs">What the lines cost.</param>
    /// <param name="names">Parts of the names of methods or files; none for the methods of most CPU time.</param>
    /// <param name="top">Most methods.</param>
    /// <param name="files">Has the source files.</param>
    /// <returns>The methods, most CPU time first; none when no line fits.</returns>
    public static IReadOnlyList<MethodSource> Of(IEnumerable<LineCost> costs, IReadOnlyList<NamePattern> names, int? top, SymbolFiles files)
    {
        ArgumentNullException.ThrowIfNull(costs);
        ArgumentNullException.ThrowIfNull(files);
        var texts = new Dictionary<string, SourceText>();
        var methods = costs
            .GroupBy(cost => (Name: cost.Method, cost.Line.File))
            .Where(method =>
                names.Count == 0
                    ? method.Any(cost => cost.CpuMs > 0)
                    : names.Any(name => name.Matches(method.Key.Name) || name.Matches(FileName(method.Key.File)))
            )
            .OrderByDescending(method => method.Sum(cost => cost.CpuMs))
            .ThenByDescending(method => method.Max(cost => cost.InclusiveCpuMs))
            .ThenBy(method => method.Key.Name, StringComparer.Ordinal);
        return
        [
            .. (top is { } limit ? methods.Take(limit) : methods).Select(method =>
                Of(method.Key.Name, method.Key.File, [.. method], Text(method.Key.File))
            ),
        ];

        SourceText Text(string file)
        {
            if (!texts.TryGetValue(file, out var text))
                texts.Add(file, text = files.SourceText(file));
            return text;
        }
    }

    /// <summary>The same with the instructions of each line that has a cost.</summary>
    /// <param name="costs">What the instructions cost.</param>
    /// <param name="il">Whether IL is wanted.</param>
    /// <param name="code">Whether machine code is wanted.</param>
    public MethodSource With(InstructionCosts costs, bool il, bool code)
    {
        ArgumentNullException.ThrowIfNull(costs);
        return this with
        {
            Lines =
            [
                .. Lines.Select(line =>
                    line.InclusiveCpuMs > 0 && new SourceLine(File, line.Line) is var place
                        ? line with
                        {
                            Instructions = [.. il ? costs.IlOf(Method, place) : [], .. code ? costs.CodeOf(Method, place) : []],
                        }
                        : line
                ),
            ],
        };
    }

    private static MethodSource Of(string method, string file, List<LineCost> lines, SourceText text)
    {
        var costs = lines.GroupBy(cost => cost.Line.Line).ToDictionary(line => line.Key, line => line.ToList());
        var hit = costs.Keys.Order().ToList();
        var shown = new SortedSet<int>(hit);
        if (text.Problem.Length == 0)
        {
            shown.UnionWith(Around(hit[0] - Margin, hit[0]));
            shown.UnionWith(Around(hit[^1], hit[^1] + Margin));
            foreach (var (before, after) in hit.Zip(hit.Skip(1)))
                shown.UnionWith(after - before - 1 <= MaxGap ? Around(before, after) : [before + 1, after - 1]);
        }

        return new MethodSource(method, file, [.. shown.Select(Line)], text.Problem);

        IEnumerable<int> Around(int first, int last) =>
            Enumerable.Range(first, last - first + 1).Where(number => number >= 1 && number <= text.Lines.Count);

        CostedLine Line(int number)
        {
            var own = costs.GetValueOrDefault(number, []);
            return new CostedLine(
                number,
                number <= text.Lines.Count ? text.Lines[number - 1] : "",
                own.Sum(cost => cost.Samples),
                own.Sum(cost => cost.CpuMs),
                own.Sum(cost => cost.InlinedCpuMs),
                own.Sum(cost => cost.InclusiveCpuMs)
            )
            {
                Causes = CauseTimes.Sum(own.Select(cost => cost.Causes)),
            };
        }
    }

    private static string FileName(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];
}

/// <summary>A line of source code and what it cost.</summary>
/// <param name="Line">Its number, from 1.</param>
/// <param name="Text">Its text; empty when unavailable.</param>
/// <param name="Samples">Samples that hit it.</param>
/// <param name="CpuMs">CPU time that these samples represent, in ms.</param>
/// <param name="InlinedCpuMs">Of this, where the method was inlined into another one, in ms.</param>
/// <param name="InclusiveCpuMs">CPU time of the line and of what it calls, in ms.</param>
public sealed record CostedLine(int Line, string Text, long Samples, double CpuMs, double InlinedCpuMs, double InclusiveCpuMs)
{
    /// <summary><see cref="InclusiveCpuMs"/> by cause; null without a cost, and when causes are not known.</summary>
    public CauseTimes? Causes { get; init; }

    /// <summary>Its instructions, IL before machine code; empty when not requested or unavailable.</summary>
    public IReadOnlyList<CostedInstruction> Instructions { get; init; } = [];
}
