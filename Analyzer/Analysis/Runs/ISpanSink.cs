namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>Takes spans of time.</summary>
internal interface ISpanSink
{
    /// <summary>Adds a span, or takes back one that was added.</summary>
    /// <param name="start">Begin in ticks.</param>
    /// <param name="stop">End in ticks.</param>
    /// <param name="sign">+1 or -1.</param>
    void Add(long start, long stop, int sign);
}
