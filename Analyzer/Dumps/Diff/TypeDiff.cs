namespace EtwSerializerProfiler.Dumps.Diff;

/// <summary>A type in two dumps.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="CountBefore">Objects in the first dump.</param>
/// <param name="CountAfter">Objects in the second dump.</param>
/// <param name="BytesBefore">Their bytes in the first dump.</param>
/// <param name="BytesAfter">Their bytes in the second dump.</param>
public sealed record TypeDiff(string Type, long CountBefore, long CountAfter, long BytesBefore, long BytesAfter)
{
    /// <summary>Objects more.</summary>
    public long CountChange => CountAfter - CountBefore;

    /// <summary>Bytes more.</summary>
    public long BytesChange => BytesAfter - BytesBefore;
}
