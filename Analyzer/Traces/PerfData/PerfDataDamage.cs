namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Where reading a file had to end before its end.</summary>
/// <param name="Offset">Byte offset of the record that cannot be read.</param>
/// <param name="Reason">What is wrong there.</param>
public sealed record PerfDataDamage(long Offset, string Reason);
