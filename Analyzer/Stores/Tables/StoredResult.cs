using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>A row of the table that <c>esp-analyze table</c> prints: the runs of one serializer and test of a trace.</summary>
/// <param name="Row">The row.</param>
/// <param name="IsFirstUse">Whether it is of the table of first uses.</param>
public sealed record StoredResult(SummaryRow Row, bool IsFirstUse);
