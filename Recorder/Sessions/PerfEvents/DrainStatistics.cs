namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>How promptly a session drained its rings.</summary>
/// <param name="RingBytes">Size of a CPU's ring.</param>
/// <param name="Precedence">Precedence of the draining thread over the recorded threads.</param>
/// <param name="Ready">Time in which the draining thread was ready but had no processor; null when the kernel does not count it.</param>
/// <param name="Draining">Time in which it copied and wrote records, including waits for the disk and for a processor.</param>
public readonly record struct DrainStatistics(int RingBytes, Precedence Precedence, TimeSpan? Ready, TimeSpan Draining);
