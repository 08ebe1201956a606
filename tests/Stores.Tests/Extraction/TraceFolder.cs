using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Sqlite;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Tests.Extraction;

/// <summary>A folder of traces, and a folder for stores beside it.</summary>
internal sealed class TraceFolder : IDisposable
{
    private readonly TempFolder _folder = new();

    public TraceFolder()
    {
        Traces = Directory.CreateDirectory(System.IO.Path.Combine(_folder.Path, "traces")).FullName;
    }

    /// <summary>Folder of the traces.</summary>
    public string Traces { get; }

    /// <summary>Path of a trace.</summary>
    public string Path(string name) => System.IO.Path.Combine(Traces, name);

    /// <summary>A recording that differs from others by its number.</summary>
    public string AddRecording(string name, int number)
    {
        var folder = Directory.CreateDirectory(Path(name)).FullName;
        foreach (var file in Directory.GetFiles(TestFiles.Recording))
            File.Copy(file, System.IO.Path.Combine(folder, System.IO.Path.GetFileName(file)));
        File.WriteAllText(System.IO.Path.Combine(folder, "perf-0.map"), $"{number}");
        return folder;
    }

    /// <summary>A Windows trace.</summary>
    public string AddEtl(string name)
    {
        SerializerTestsEtl.Write(Path(name));
        return Path(name);
    }

    /// <summary>A trace of EventPipe, cut after some bytes when these are given.</summary>
    public string AddNetTrace(string name, int? length = null)
    {
        var bytes = File.ReadAllBytes(TestFiles.Unmarked);
        File.WriteAllBytes(Path(name), length is { } cut ? bytes[..cut] : bytes);
        return Path(name);
    }

    /// <summary>Address of a store beside the traces.</summary>
    public StoreAddress Store(string name) => new(StoreKind.Sqlite, System.IO.Path.Combine(_folder.Path, name), "");

    /// <summary>
    /// Extracts all traces. Starts one worker unless a test is about several, because JIT compilation of the reader takes time in each
    /// process.
    /// </summary>
    public ExtractRequest Request(string store, int jobs = 1) => new([Traces], Store(store)) { Jobs = jobs };

    /// <summary>All rows of a store, a line each, sorted.</summary>
    public IReadOnlyList<string> Rows(string store)
    {
        using var opened = new SqliteStore(Store(store));
        return [.. MadeTraces.Dump(opened).Order(StringComparer.Ordinal)];
    }

    /// <summary>Traces of a store.</summary>
    public IReadOnlyList<StoredTrace> Stored(string store)
    {
        using var opened = new SqliteStore(Store(store));
        return opened.Traces();
    }

    public void Dispose() => _folder.Dispose();
}
