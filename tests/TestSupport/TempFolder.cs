namespace EtwSerializerProfiler.TestSupport;

/// <summary>A temporary folder for one test, deleted afterwards.</summary>
public sealed class TempFolder : IDisposable
{
    /// <summary>Path of the folder.</summary>
    public string Path { get; } = Directory.CreateTempSubdirectory("esp-test-").FullName;

    /// <summary>Path of a file in it, which need not exist.</summary>
    public string PathOf(string name) => System.IO.Path.Combine(Path, name);

    /// <summary>Writes a file into it.</summary>
    public string Write(string name, byte[] bytes)
    {
        var path = PathOf(name);
        File.WriteAllBytes(path, bytes);
        return path;
    }

    /// <summary>Writes a text file into it.</summary>
    public string Write(string name, string text) => Write(name, System.Text.Encoding.UTF8.GetBytes(text));

    /// <inheritdoc />
    public void Dispose() => Directory.Delete(Path, recursive: true);
}
