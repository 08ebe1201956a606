namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>Buffers of a session. They are memory that cannot be paged out.</summary>
/// <param name="SizeKB">Size of one, in KB.</param>
/// <param name="Minimum">How many are there from the start.</param>
/// <param name="Maximum">How many there may be. In circular mode the same as <paramref name="Minimum"/>: the newest so many are kept.</param>
public sealed record EtwBuffers(int SizeKB, int Minimum, int Maximum)
{
    /// <summary>Most memory they can take, in bytes.</summary>
    public long MostBytes => (long)SizeKB * 1024 * Maximum;
}
