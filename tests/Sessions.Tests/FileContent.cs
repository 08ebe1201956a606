using EtwSerializerProfiler.Traces.Packing;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Content of a recording's files, compressed or not.</summary>
internal static class FileContent
{
    public static byte[] Read(string path)
    {
        using var stream = PackedFile.OpenRead(path, 0);
        var bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }
}
