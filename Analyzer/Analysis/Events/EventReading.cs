using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>A report on events that has begun: what it has to hear, and what came out once it has heard it. Several of them can hear theirs in one pass over each file.</summary>
/// <typeparam name="T">What comes out.</typeparam>
/// <param name="Requests">What it has to hear.</param>
/// <param name="Result">Puts the result together, once the requests were answered; takes what the passes found out about the sources.</param>
internal sealed record EventReading<T>(IReadOnlyList<TraceRequest> Requests, Func<IReadOnlyDictionary<ITraceSource, TraceReadResult>, T> Result)
{
    /// <summary>Reads for this report alone.</summary>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public T Read() => Result(TraceReading.Read(Requests));
}
