using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Stores.Sqlite;

namespace EtwSerializerProfiler.Stores.Tests.Fleet;

/// <summary>Traces with different contents, and a SQLite store into which they are put one by one, for comparison.</summary>
internal sealed class FleetTraces : IDisposable
{
    /// <summary>Writes the traces into a new folder.</summary>
    /// <param name="recordings">Number of recordings; a bare trace and a file that is not a trace are added.</param>
    public FleetTraces(int recordings)
    {
        Directory.CreateDirectory(Traces);
        for (var i = 0; i < recordings; i++)
        {
            var to = Directory.CreateDirectory(Path.Combine(Traces, $"r{i}")).FullName;
            foreach (var file in Directory.GetFiles(TestFiles.Recording))
                File.Copy(file, Path.Combine(to, Path.GetFileName(file)));

            // The same recording at another time: another content, and a history.
            var description = Path.Combine(to, "recording.json");
            File.WriteAllText(
                description,
                File.ReadAllText(description)
                    .Replace("T14:02:00Z", string.Create(CultureInfo.InvariantCulture, $"T14:{i:00}:00Z"), StringComparison.Ordinal)
            );
        }

        File.Copy(TestFiles.Unmarked, Path.Combine(Traces, "program.nettrace"));
        File.WriteAllText(Path.Combine(Traces, "bad.nettrace"), "this is no trace");
        Count = recordings + 2;
    }

    /// <summary>The tool, as built for these tests.</summary>
    public static string Tool => Path.Combine(AppContext.BaseDirectory, "esp-analyze");

    /// <summary>Folder of all files.</summary>
    public TempFolder Folder { get; } = new();

    /// <summary>Number of traces.</summary>
    public int Count { get; }

    /// <summary>Folder of the traces.</summary>
    public string Traces => Path.Combine(Folder.Path, "traces");

    /// <summary>Rows of a store that is filled by one process.</summary>
    public IReadOnlyList<string> OneByOne()
    {
        var file = Path.Combine(Folder.Path, "one.db");
        using var process = Process.Start(
            new ProcessStartInfo(Tool, ["extract", Traces, "--store", $"sqlite:{file}", "--jobs", "1", "--quiet"])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, output.Result + errors.Result);
        using var store = new SqliteStore(StoreAddress.Parse($"sqlite:{file}"));
        Assert.Equal(Count, store.Traces().Count);
        return Rows(store);
    }

    /// <summary>All rows of a store, sorted.</summary>
    public static IReadOnlyList<string> Rows(ITraceStore store) => [.. MadeTraces.Dump(store).Order(StringComparer.Ordinal)];

    /// <inheritdoc />
    public void Dispose() => Folder.Dispose();
}
