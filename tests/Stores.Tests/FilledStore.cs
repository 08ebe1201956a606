using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Sqlite;

namespace EtwSerializerProfiler.Stores.Tests;

/// <summary>
/// A store with the traces of tests/TestData, two recordings that were made one after the other, and a Windows trace with CPU samples.
/// </summary>
public sealed class FilledStore : IDisposable
{
    private readonly TempFolder _folder = new();

    public FilledStore()
    {
        WindowsTrace = Path.Combine(_folder.Path, "classic.etl");
        SerializerTestsEtl.Write(WindowsTrace);
        (First, Second) = (Copy("first", "2026-11-19T03:00:00"), Copy("second", "2026-11-20T03:00:00"));
        Add(TestFiles.Recording, TraceFormat.Recording);
        Add(TestFiles.Unmarked, TraceFormat.NetTrace);
        Add(WindowsTrace, TraceFormat.Etl);
        Add(First, TraceFormat.Recording, "main");
        Add(Second, TraceFormat.Recording, "main");
    }

    /// <summary>File of the store.</summary>
    public string Store => Path.Combine(_folder.Path, "all.db");

    /// <summary>A trace of a machine that ran the original suite.</summary>
    public string WindowsTrace { get; }

    /// <summary>Folder with <see cref="First"/> and <see cref="Second"/>.</summary>
    public string Recordings => Path.Combine(_folder.Path, "recordings");

    /// <summary>A recording of branch main.</summary>
    public string First { get; }

    /// <summary>The one after it.</summary>
    public string Second { get; }

    public void Dispose() => _folder.Dispose();

    /// <summary>A path in a folder that is deleted with the store.</summary>
    public string In(string name) => Path.Combine(_folder.Path, name);

    /// <summary>Puts a trace into a store.</summary>
    public void Add(string path, TraceFormat format, string? branch = null, string tables = "", string? store = null)
    {
        using var opened = new SqliteStore(StoreAddress.Parse(store ?? Store));
        var unit = new TraceUnit(Path.GetFullPath(path), format);
        opened.Replace(TraceExtractor.Extract(unit, TraceContent.Read(unit), new ExtractOptions { Branch = branch, Tables = tables }));
    }

    /// <summary>The recording of the test data as if it had been made at another time.</summary>
    private string Copy(string name, string started)
    {
        var folder = Directory.CreateDirectory(Path.Combine(_folder.Path, "recordings", name)).FullName;
        foreach (var file in Directory.GetFiles(TestFiles.Recording))
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
        var description = Path.Combine(folder, "recording.json");
        File.WriteAllText(description, File.ReadAllText(description).Replace("2026-11-21T14:02:00", started, StringComparison.Ordinal));
        return folder;
    }
}
