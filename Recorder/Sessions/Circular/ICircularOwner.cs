namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>Owns a log and keeps what must survive its chunks.</summary>
internal interface ICircularOwner
{
    /// <summary>The first chunk of a log is about to be dropped. Called under the memory's lock, by any thread; must not append.</summary>
    void OnDropping(CircularLog log, in CircularChunk chunk);
}
