namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>Owns a log and keeps what must outlive its chunks.</summary>
internal interface ICircularOwner
{
    /// <summary>Called before a log drops its first chunk, under the memory's lock and by any thread. Must not append.</summary>
    void OnDropping(CircularLog log, in CircularChunk chunk);
}
