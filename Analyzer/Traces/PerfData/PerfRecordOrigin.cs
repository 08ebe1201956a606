namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Where a record comes from.</summary>
/// <param name="ProcessId">Process, -1 when the record does not say (or the thread has ended).</param>
/// <param name="ThreadId">Thread, -1 when the record does not say.</param>
/// <param name="Cpu">Processor, -1 when the record does not say.</param>
public readonly record struct PerfRecordOrigin(int ProcessId, int ThreadId, int Cpu);
