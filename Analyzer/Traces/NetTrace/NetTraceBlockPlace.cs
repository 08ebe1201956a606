namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Where a whole block stands in its file.</summary>
/// <param name="Kind">Its kind; null for one that is passed over.</param>
/// <param name="Start">Offset of its first byte.</param>
/// <param name="ContentAt">Offset of its content.</param>
/// <param name="ContentBytes">Size of its content.</param>
internal readonly record struct NetTraceBlockPlace(NetTraceBlockKind? Kind, long Start, long ContentAt, int ContentBytes);
