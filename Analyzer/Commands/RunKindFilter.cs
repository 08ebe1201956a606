namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Values of <c>--kind</c>.</summary>
internal enum RunKindFilter
{
    Measured = 0,
    All = 1,
}
