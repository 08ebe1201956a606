namespace EtwSerializerProfiler.Traces.ThisMachine;

/// <summary>Knows what it looks like when a file can take no more.</summary>
public static class WriteFailure
{
    /// <summary>
    /// Whether an exception says so. A full disk (ENOSPC) is an IOException. A file that would be larger than the file system or <c>ulimit
    /// -f</c> permits (EFBIG; 4 GB on FAT32) is an ArgumentOutOfRangeException in .NET.
    /// </summary>
    public static bool Is(Exception exception) => exception is IOException or ArgumentOutOfRangeException;
}
