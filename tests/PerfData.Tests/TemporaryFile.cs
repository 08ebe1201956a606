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

    public void Replace(ReadOnlySpan<byte> content) => File.WriteAllBytes(Path, content);

    public void Dispose() => File.Delete(Path);
}
