namespace EtwSerializerProfiler.Traces;

/// <summary>A source whose files also contain events of other sources (processes of one machine); one pass over them serves all.</summary>
public interface ISharedTraceSource : ITraceSource
{
    /// <summary>Identifies the files; the same object for all sources that share them.</summary>
    object SharedFiles { get; }

    /// <summary>Reads sources that share their files, including this one, in one pass.</summary>
    /// <param name="sources">The distinct sources, each with the hub that receives its events.</param>
    /// <returns>Read results of the sources, in order.</returns>
    /// <exception cref="IOException">A file became unreadable.</exception>
    IReadOnlyList<TraceReadResult> ReadTogether(IReadOnlyList<(ITraceSource Source, EventHub Hub)> sources);
}
