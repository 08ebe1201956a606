namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>Target of a recording's events: files, or memory or a part of the disk that keeps the newest, written at the end.</summary>
public sealed record RecordingMode
{
    /// <summary>Minimum size of a circular recording: some pages for each session.</summary>
    public const long MinBytes = 1 << 20;

    /// <summary>Maximum size: what a 64-bit program can be expected to get.</summary>
    public const long MaxBytes = 64L << 30;

    /// <summary>Maximum size on disk.</summary>
    public const long MaxOnDiskBytes = 64L << 40;

    /// <summary>Option that limits a recording on disk.</summary>
    public const string MaxSizeName = "--max-size";

    private const string FileName = "file";
    private const string CircularPrefix = "circular:";

    private RecordingMode(long circularBytes, bool isOnDisk = false) => (CircularBytes, IsOnDisk) = (circularBytes, isOnDisk);

    /// <summary>Keeps everything in files.</summary>
    public static RecordingMode File { get; } = new(0);

    /// <summary>Bytes of events to keep for all sessions together; 0 in file mode.</summary>
    public long CircularBytes { get; }

    /// <summary>Whether only the newest part is kept.</summary>
    public bool IsCircular => CircularBytes > 0;

    /// <summary>Whether the newest part is kept on disk, not in memory.</summary>
    public bool IsOnDisk { get; }

    /// <summary>
    /// Bytes of disk that the recording takes at most: half for the newest events, half for the files made of them at the end.
    /// </summary>
    public long MaxBytesOnDisk => 2 * CircularBytes;

    /// <summary>Keeps the newest <paramref name="bytes"/> in memory.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The size is not between <see cref="MinBytes"/> and <see cref="MaxBytes"/>.</exception>
    public static RecordingMode Circular(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bytes, MinBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, MaxBytes);
        return new RecordingMode(bytes);
    }

    /// <summary>Keeps the newest events on disk, and takes at most <paramref name="bytes"/> of it.</summary>
    /// <exception cref="ArgumentOutOfRangeException">
    /// The size is not between twice <see cref="MinBytes"/> and <see cref="MaxOnDiskBytes"/>.
    /// </exception>
    public static RecordingMode OnDisk(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bytes, 2 * MinBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, MaxOnDiskBytes);
        return new RecordingMode(bytes / 2, isOnDisk: true);
    }

    /// <summary>Parses <c>file</c> or <c>circular:SIZE</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="mode">The mode.</param>
    /// <param name="error">What is wrong and what is accepted; empty when the text is valid.</param>
    public static bool TryParse(string text, out RecordingMode mode, out string error)
    {
        ArgumentNullException.ThrowIfNull(text);
        mode = File;
        error = "";
        if (text == FileName)
            return true;
        var size = text.StartsWith(CircularPrefix, StringComparison.Ordinal) ? text[CircularPrefix.Length..] : "";
        if (!ByteSize.TryParse(size, out var bytes))
            error = $"'{text}' is not a mode: write 'file', or 'circular:SIZE' with {ByteSize.Form}, for example circular:64MB";
        else if (bytes is < MinBytes or > MaxBytes)
            error = $"'{text}': the size must be between 1MB and 64GB";
        else
            mode = new RecordingMode(bytes);
        return error.Length == 0;
    }

    /// <summary>The text that <see cref="TryParse"/> accepts, or on disk the option with its size.</summary>
    public override string ToString() =>
        IsOnDisk ? $"{MaxSizeName} {ByteSize.Format(MaxBytesOnDisk)}"
        : IsCircular ? CircularPrefix + ByteSize.Format(CircularBytes)
        : FileName;
}
