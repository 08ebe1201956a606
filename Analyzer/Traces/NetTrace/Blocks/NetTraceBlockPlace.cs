namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>Position of a complete block in its file.</summary>
/// <param name="Kind">Its kind; null for a skipped one.</param>
/// <param name="Start">Offset of its first byte.</param>
/// <param name="ContentAt">Offset of its content.</param>
/// <param name="ContentBytes">Size of its content.</param>
internal readonly record struct NetTraceBlockPlace(NetTraceBlockKind? Kind, long Start, long ContentAt, int ContentBytes);
