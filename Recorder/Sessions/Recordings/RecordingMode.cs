namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>Target of a recording's events: files, or memory whose newest part is written at the end.</summary>
public sealed record RecordingMode
{
    /// <summary>Minimum size of a circular recording: some pages for each session.</summary>
    public const long MinBytes = 1 << 20;

    /// <summary>Maximum size: what a 64-bit program can be expected to get.</summary>
    public const long MaxBytes = 64L << 30;

    private const string FileName = "file";
    private const string CircularPrefix = "circular:";

    private RecordingMode(long circularBytes) => CircularBytes = circularBytes;

    /// <summary>Keeps everything in files.</summary>
    public static RecordingMode File { get; } = new(0);

    /// <summary>Bytes of events to keep in memory for all sessions together; 0 in file mode.</summary>
    public long CircularBytes { get; }

    /// <summary>Whether only the newest part is kept, in memory.</summary>
    public bool IsCircular => CircularBytes > 0;

    /// <summary>Keeps the newest <paramref name="bytes"/> in memory.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The size is not between <see cref="MinBytes"/> and <see cref="MaxBytes"/>.</exception>
    public static RecordingMode Circular(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bytes, MinBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, MaxBytes);
        return new RecordingMode(bytes);
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

    /// <summary>The text that <see cref="TryParse"/> accepts.</summary>
    public override string ToString() => IsCircular ? CircularPrefix + ByteSize.Format(CircularBytes) : FileName;
}
