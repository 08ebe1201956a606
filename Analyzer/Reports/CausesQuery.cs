using EtwSerializerProfiler.Analysis.Cpu;

namespace EtwSerializerProfiler.Reports;

/// <summary>What is asked of the matrix serializer × cause.</summary>
/// <param name="Filter">Which runs count.</param>
/// <param name="ByRun">A row for each run instead of one for each serializer and test.</param>
/// <param name="Detail">Single causes instead of their groups, for people; programs get both.</param>
/// <param name="Percent">Shares of the serializer's time instead of ms, for people.</param>
public sealed record CausesQuery(RunFilter Filter, bool ByRun = false, bool Detail = false, bool Percent = false);
