namespace EtwSerializerProfiler.Traces;

/// <summary>A source whose files hold the events of other sources, too (processes of one machine): one pass over them serves all.</summary>
public interface ISharedTraceSource : ITraceSource
{
    /// <summary>Stands for the files; the same object for all sources that share them.</summary>
    object SharedFiles { get; }

    /// <summary>Answers requests to sources that share their files, this one among them, in one pass; no source has two.</summary>
    /// <returns>What the pass found out about each source, in the order of the requests.</returns>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    IReadOnlyList<TraceReadResult> ReadTogether(IReadOnlyList<TraceRequest> requests);
}
