namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>Buffers of a session, in non-paged memory.</summary>
/// <param name="SizeKB">Size of a buffer in KB.</param>
/// <param name="Minimum">Number of buffers at the start.</param>
/// <param name="Maximum">
/// Maximum number of buffers. In circular mode it equals <paramref name="Minimum"/> where the tool permits that: the session keeps that many
/// of the newest.
/// </param>
public sealed record EtwBuffers(int SizeKB, int Minimum, int Maximum)
{
    /// <summary>Maximum memory in bytes.</summary>
    public long MaxBytes => (long)SizeKB * 1024 * Maximum;
}
