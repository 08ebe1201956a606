namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// A recording of KnownEvents (exceptions, locks, allocation, GCs, waits, compilations) and its export, made once for all tests of the
/// class.
/// </summary>
public sealed class ExportedRecording : IAsyncLifetime
{
    public string Root { get; } = Directory.CreateTempSubdirectory("esp-export-").FullName;

    public string Folder => Path.Combine(Root, "r");

    public string Etl => Path.Combine(Root, "r.etl");

    /// <summary>The same as one NetTrace 6 file.</summary>
    public string NetTrace => Path.Combine(Root, "r.export.nettrace");

    /// <summary>Output of esp-analyze export.</summary>
    public string Output { get; private set; } = "";

    /// <summary>Why nothing could be recorded; null when it could.</summary>
    public string? Problem { get; private set; }

    public async ValueTask InitializeAsync()
    {
        var recorded = await Tool.RecordAsync("--alloc", "sampled", "--no-analyze", "--out", Folder, "--", Tool.TestProgram, "events");
        if (recorded.ExitCode != 0)
        {
            Problem = recorded.Error;
            return;
        }

        if (!File.Exists(Path.Combine(Folder, "perf.data")))
        {
            Problem = "no kernel session: " + recorded.Error;
            return;
        }

        var exported = await Tool.AnalyzeAsync("export", Folder, "--to", "etl", "-o", Etl);
        Assert.True(exported.ExitCode == 0, exported.Error);
        Output = exported.Output;
        exported = await Tool.AnalyzeAsync("export", Folder, "--to", "nettrace", "-o", NetTrace);
        Assert.True(exported.ExitCode == 0, exported.Error);
    }

    public ValueTask DisposeAsync()
    {
        Directory.Delete(Root, recursive: true);
        return default;
    }
}
