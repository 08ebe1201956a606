using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Flame graphs as data for the page's script: distinct texts, and one row of numbers per node.</summary>
/// <param name="Causes">Name and style of each cause.</param>
/// <param name="Flames">The graphs.</param>
/// <param name="Base">Graphs of the base side of a comparison.</param>
/// <param name="Runs">Number of runs on each side of a comparison, by name of the tree.</param>
/// <param name="OfPrograms">Whether the trees are programs without marks, which have nothing outside.</param>
internal sealed record FlameData(
    IEnumerable<string[]> Causes,
    FlameSetData Flames,
    FlameSetData? Base,
    IReadOnlyDictionary<string, int[]>? Runs,
    bool OfPrograms
)
{
    /// <summary>Name of the part outside the serializers.</summary>
    private const string Outside = "Outside";

    /// <summary>Whether the trees are waits instead of CPU time; null for CPU time.</summary>
    public bool? OfWaits { get; private init; }

    /// <summary>Graphs of waits. Their causes are own code, other code, and the reasons.</summary>
    public static FlameData Waits(FlameSet waits)
    {
        var reasons = Enum.GetValues<WaitReason>();
        return new FlameData(
            [
                ["", "c-outside"],
                ["Own code", "c-own"],
                .. reasons.Select(reason => (string[])[$"waiting: {reason.Name()}", ClassOf(reason)]),
                ["Platform and runtime", "c-runtime"],
            ],
            FlameSetData.Of(waits, [.. reasons.Select((_, number) => number)], outside: 2 + reasons.Length, inSource: true),
            Base: null,
            Runs: null,
            OfPrograms: true
        )
        {
            OfWaits = true,
        };
    }

    /// <summary>The colours are those of the causes that are closest.</summary>
    private static string ClassOf(WaitReason reason) =>
        reason switch
        {
            WaitReason.Lock => "c-locks",
            WaitReason.Task => "c-activator",
            WaitReason.Signal => "c-formatting",
            WaitReason.Join => "c-types",
            WaitReason.Sleep => "c-jit",
            WaitReason.Io => "c-io",
            WaitReason.Gc => "c-gc",
            WaitReason.Runtime => "c-kernel",
            _ => "c-outside",
        };

    public static FlameData Of(HtmlReport report)
    {
        var groups = CauseCatalog.All.Select(cause => cause.Group).Distinct().ToList();
        int[] group = [.. CauseCatalog.All.Select(cause => groups.IndexOf(cause.Group))];
        return new FlameData(
            groups
                .Prepend(CauseColumns.OwnName)
                .Prepend(Outside)
                .Select(name =>
                    (string[])
                        [
                            report.IsOfPrograms && name == CauseColumns.OwnName ? "Program and libraries" : HtmlMatrix.LabelOf(name),
                            HtmlMatrix.Class(name),
                        ]
                ),
            FlameSetData.Of(report.Flames!, group, inSource: report.IsOfPrograms),
            report.BaseFlames is { } other ? FlameSetData.Of(other, group) : null,
            report.IsComparison
                ? report.FlameRuns.ToDictionary(runs => FlameTreeData.NameOf(runs.Key), runs => (int[])[runs.Value.Base, runs.Value.Other])
                : null,
            report.IsOfPrograms
        );
    }
}

/// <summary>The trees of one side.</summary>
/// <param name="Modules">Names.</param>
/// <param name="Frames">Name, and 4 × index of the module, plus 2 for own code, plus 1 for an inlined method.</param>
/// <param name="Trees">One tree per serializer and test.</param>
internal sealed record FlameSetData(IEnumerable<string> Modules, IEnumerable<object> Frames, IEnumerable<FlameTreeData> Trees)
{
    /// <param name="set">The trees.</param>
    /// <param name="group">Group of each cause.</param>
    /// <param name="outside">Cause of paths outside.</param>
    /// <param name="inSource">
    /// Whether methods have their names in the source: the program's reader knows the source, not what the compiler made of it.
    /// </param>
    public static FlameSetData Of(FlameSet set, int[] group, int outside = 0, bool inSource = false)
    {
        var modules = set.Frames.Select(frame => frame.Module).Distinct().ToList();
        var numbers = modules.Index().ToDictionary(module => module.Item, module => module.Index);
        return new FlameSetData(
            modules,
            set.Frames.SelectMany(frame =>
                (object[])
                    [
                        inSource && frame.Kind == CodeKind.Managed ? SourceName.Of(frame.Name) : frame.Name,
                        (4 * numbers[frame.Module]) + (frame.IsMine ? 2 : 0) + (frame.IsInlined ? 1 : 0),
                    ]
            ),
            set.Trees.Select(tree => FlameTreeData.Of(tree, set, group, outside))
        );
    }
}

/// <summary>A tree.</summary>
/// <param name="Name">Its serializer and test.</param>
/// <param name="Samples">Its samples.</param>
/// <param name="Us">Their CPU time in µs.</param>
/// <param name="Left">Number of omitted nodes.</param>
/// <param name="Cut">Samples of the omitted nodes.</param>
/// <param name="Nodes">
/// Level, frame, inclusive and own samples, cause (0 outside, 1 own, from 2 on the groups), inclusive and own µs.
/// </param>
internal sealed record FlameTreeData(string Name, long Samples, long Us, int Left, long Cut, IEnumerable<long> Nodes)
{
    public static FlameTreeData Of(FlameTree tree, FlameSet set, int[] group, int outside)
    {
        return new FlameTreeData(
            NameOf(tree.Runs),
            tree.Samples,
            Microseconds(tree.Ticks),
            tree.NodesTotal - tree.Nodes.Count,
            tree.CutSamples,
            tree.Nodes.SelectMany(Row)
        );

        IEnumerable<long> Row(FlameNode node) =>
            [
                node.Depth,
                node.Frame,
                node.InclusiveSamples,
                node.Samples,
                node.Cause switch
                {
                    FlameSet.Outside => outside,
                    FlameSet.Own => 1,
                    var cause => 2 + group[cause],
                },
                Microseconds(node.InclusiveTicks),
                Microseconds(node.Ticks),
            ];

        long Microseconds(long ticks) => (long)Math.Round(1e3 * set.ToMilliseconds(ticks));
    }

    public static string NameOf(SummaryKey runs) => (runs with { ObjectCount = 0 }).ToString();
}
