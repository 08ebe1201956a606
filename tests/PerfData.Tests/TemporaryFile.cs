namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>A file that is deleted after the test.</summary>
internal sealed class TemporaryFile : IDisposable
{
    public TemporaryFile(byte[]? content = null)
    {
        Path = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"esp-{Guid.NewGuid():N}.data");
        if (content is not null)
            Replace(content);
    }

    public string Path { get; }

    /// <summary>Overwrites the content in place: ext4 writes a truncated and rewritten file to the disk at once, which takes ms.</summary>
    public void Replace(ReadOnlySpan<byte> content)
    {
        using var file = File.OpenHandle(Path, FileMode.OpenOrCreate, FileAccess.Write);
        RandomAccess.Write(file, content, 0);
        RandomAccess.SetLength(file, content.Length);
    }

    public void Dispose() => File.Delete(Path);
}
