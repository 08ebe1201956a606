namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>A file that is gone after the test.</summary>
internal sealed class TemporaryFile : IDisposable
{
    public TemporaryFile(byte[]? content = null)
    {
        Path = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"esp-{Guid.NewGuid():N}.data");
        if (content is not null)
            Replace(content);
    }

    public string Path { get; }

    /// <summary>Writes over what is there: ext4 writes a file to the disk at once that was emptied and written anew, which takes ms.</summary>
    public void Replace(ReadOnlySpan<byte> content)
    {
        using var file = File.OpenHandle(Path, FileMode.OpenOrCreate, FileAccess.Write);
        RandomAccess.Write(file, content, 0);
        RandomAccess.SetLength(file, content.Length);
    }

    public void Dispose() => File.Delete(Path);
}
