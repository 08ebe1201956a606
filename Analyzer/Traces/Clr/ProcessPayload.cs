namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Events that identify a process: RuntimeInformationStart of the runtime (id 187) and ProcessInfo of EventPipe.</summary>
internal static class ProcessPayload
{
    /// <summary>Id of RuntimeInformationStart, of the runtime's and the rundown provider.</summary>
    public const int RuntimeInformation = 187;

    /// <summary>Provider and name of the event that EventPipe writes when a session ends.</summary>
    public const string EventPipeProvider = "Microsoft-DotNETCore-EventPipe";

    /// <inheritdoc cref="EventPipeProvider"/>
    public const string ProcessInfo = "ProcessInfo";

    /// <summary>Version of the runtime: the name of its library's folder; empty when that is not a version.</summary>
    public static string VersionOf(string runtimePath)
    {
        var folders = runtimePath.Split('\\', '/');
        return folders.Length > 1 && Version.TryParse(folders[^2].Split('-')[0], out _) ? folders[^2] : "";
    }

    /// <summary>Version of the runtime from RuntimeInformationStart; empty when missing.</summary>
    public static string ReadVersion(ReadOnlySpan<byte> payload)
    {
        // u16: instance, SKU, four numbers of the class library's version and four of the runtime's; u32 flags, byte mode.
        const int FixedBytes = 25;
        var reader = new PayloadReader(payload);
        reader.Bytes(FixedBytes);
        reader.SkipText();
        reader.Guid();
        var path = reader.Text();
        return reader.Fits ? VersionOf(path) : "";
    }

    /// <summary>The command line from ProcessInfo.</summary>
    public static string ReadCommandLine(ReadOnlySpan<byte> payload)
    {
        var reader = new PayloadReader(payload);
        return reader.Text();
    }
}
