namespace EtwSerializerProfiler.Traces;

/// <summary>Where and why the reading of a file ended early. What lies before it was read.</summary>
/// <param name="File">Path of the file.</param>
/// <param name="Offset">Byte offset of the first block (of up to about 100 KB) that could not be read.</param>
/// <param name="FileBytes">Size of the file.</param>
/// <param name="Reason">What is wrong there.</param>
public sealed record TraceDamage(string File, long Offset, long FileBytes, string Reason)
{
    /// <summary>Whether the file just ends there: what is missing was never written, or not copied.</summary>
    public bool IsCutOff { get; init; }

    /// <inheritdoc />
    public override string ToString() =>
        $"{File}: damaged at offset {Offset} of {FileBytes} bytes: {Reason}; data before the damage was read";
}
