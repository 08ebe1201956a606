namespace EtwSerializerProfiler.Traces;

/// <summary>A source whose files hold the events of other sources, too (processes of one machine): one pass over them serves all.</summary>
public interface ISharedTraceSource : ITraceSource
{
    /// <summary>Stands for the files; the same object for all sources that share them.</summary>
    object SharedFiles { get; }

    /// <summary>Reads sources that share their files, this one among them, in one pass.</summary>
    /// <param name="sources">The sources, each once, and the hub that receives its events.</param>
    /// <returns>What the pass found out about each source, in their order.</returns>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    IReadOnlyList<TraceReadResult> ReadTogether(IReadOnlyList<(ITraceSource Source, EventHub Hub)> sources);
}
