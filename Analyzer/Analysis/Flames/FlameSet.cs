using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Flames;

/// <summary>Flame graphs that share their frames.</summary>
/// <param name="Frames">Meaning of the frames.</param>
/// <param name="Trees">The graphs, in the order of operation and serializer.</param>
/// <param name="TicksPerSecond">Ticks of the clock in one second.</param>
public sealed record FlameSet(IReadOnlyList<FlameFrame> Frames, IReadOnlyList<FlameTree> Trees, long TicksPerSecond)
{
    /// <summary>Cause of a serializer's own code.</summary>
    public const int Own = -1;

    /// <summary>Cause of paths above a serializer's entry, and beside it.</summary>
    public const int Outside = -2;

    /// <summary>A span of ticks in ms.</summary>
    public double ToMilliseconds(long ticks) => ticks * 1e3 / TicksPerSecond;
}

/// <summary>The call tree of the measured runs of a serializer and test, over all object counts.</summary>
/// <param name="Runs">What the runs have in common; its object count is 0.</param>
/// <param name="Samples">CPU samples.</param>
/// <param name="Ticks">CPU time that they represent, in ticks.</param>
/// <param name="Nodes">Callers before what they call, the callees of one caller by inclusive time.</param>
/// <param name="NodesTotal">Nodes there are; more than <paramref name="Nodes"/> when the lightest were left out.</param>
/// <param name="CutSamples">Samples with deeper stacks than a tree can have.</param>
public sealed record FlameTree(SummaryKey Runs, long Samples, long Ticks, IReadOnlyList<FlameNode> Nodes, int NodesTotal, long CutSamples)
{
    /// <summary>Lines of the program's own code; empty when lines were not requested.</summary>
    public IReadOnlyList<LineTime> Lines { get; init; } = [];
}

/// <summary>What a line of the program's own code cost.</summary>
/// <param name="Line">The line.</param>
/// <param name="Causes">CPU time in it and in the platform's code that it called, by cause.</param>
public readonly record struct LineTime(OwnLine Line, CauseTimes Causes)
{
    /// <summary>All of the time, in ticks.</summary>
    public long Ticks => Causes.Serializer;
}

/// <summary>A line of a method of the program or its libraries.</summary>
/// <param name="Method">The method's name in the source (<see cref="SourceName.Of"/>).</param>
/// <param name="Module">File name of its assembly.</param>
/// <param name="Line">The line.</param>
public readonly record struct OwnLine(string Method, string Module, SourceLine Line);

/// <summary>A path of calls in a flame graph.</summary>
/// <param name="Depth">Callers above it.</param>
/// <param name="Frame">Number of its frame in <see cref="FlameSet.Frames"/>.</param>
/// <param name="InclusiveSamples">Samples on this path and below.</param>
/// <param name="Samples">Samples whose leaf is this.</param>
/// <param name="InclusiveTicks">CPU time of the former, in ticks.</param>
/// <param name="Ticks">CPU time of the latter, in ticks.</param>
/// <param name="Cause">
/// Number of the cause in <see cref="Causes.CauseCatalog.All"/> that the path has by its frames; <see cref="FlameSet.Own"/> for a
/// serializer's own code, <see cref="FlameSet.Outside"/> above its entry.
/// </param>
public readonly record struct FlameNode(
    int Depth,
    int Frame,
    long InclusiveSamples,
    long Samples,
    long InclusiveTicks,
    long Ticks,
    int Cause
);

/// <summary>Meaning of a frame of a flame graph.</summary>
/// <param name="Name">Full name of the method; of code without a name its module.</param>
/// <param name="Module">File name of its assembly or library; empty for the place of missing callers.</param>
/// <param name="Kind">Kind of code; null for the place of missing callers.</param>
/// <param name="IsInlined">Whether it is a method where it was inlined into its caller.</param>
/// <param name="IsMine">Whether it is the user's own code (<see cref="OwnCode.IsMine"/>).</param>
public sealed record FlameFrame(string Name, string Module, CodeKind? Kind, bool IsInlined, bool IsMine);
