namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>What a number of threads got done with one serializer.</summary>
/// <param name="Variant">Which serializer.</param>
/// <param name="Threads">Threads that wrote at the same time.</param>
/// <param name="Requests">Requests that were completed.</param>
/// <param name="Seconds">From the start of all threads to the end of the last request.</param>
/// <param name="P50">Median latency of a request, in ms.</param>
/// <param name="P95">95th percentile, in ms.</param>
/// <param name="P99">99th percentile, in ms.</param>
/// <param name="Contentions">Lock waits of the process; null where the runtime does not tell.</param>
public sealed record ContentionRow(string Variant, int Threads, int Requests, double Seconds, double P50, double P95, double P99, long? Contentions)
{
    /// <summary>Completed requests in a second.</summary>
    public double RequestsPerSecond => Requests / Seconds;

    /// <summary>Lock waits of one request.</summary>
    public double? ContentionsPerRequest => (double?)Contentions / Requests;
}
