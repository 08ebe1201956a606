using System.Diagnostics;
using System.IO.Compression;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>An analyzer that is ended by a signal leaves no temporary files.</summary>
public sealed class KilledAnalyzerTests : IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    [InlineData("KILL")]
    public async Task No_temporary_file_is_left(string signal)
    {
        Signals.SkipUnlessHeard(signal);
        Assert.SkipUnless(OperatingSystem.IsLinux(), "elsewhere temporary files have names while they are read");
        var temporary = Directory.CreateDirectory(Path.Combine(_folder.Path, "tmp")).FullName;
        var start = new ProcessStartInfo(
            Path.Combine(AppContext.BaseDirectory, "esp-analyze"),
            ["events", WriteArchive(), "--top", "50000"]
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["TMPDIR"] = temporary;
        start.Environment["DOTNET_EnableDiagnostics"] = "0"; // the runtime's own sockets
        start.Environment["DOTNET_ROOT"] = Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);

        // Its first line of output shows that it decodes events. Then it waits, because nobody reads the full pipe.
        Assert.Contains(
            "event  fields",
            await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
        using (var kill = Process.Start("kill", ["-" + signal, process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)]))
            await kill.WaitForExitAsync(TestContext.Current.CancellationToken);
        await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);

        Assert.NotEqual(0, process.ExitCode);
        await errors;
        Assert.Empty(Directory.GetFileSystemEntries(temporary));
    }

    /// <summary>An archive of a trace whose events, as text, exceed a pipe's capacity.</summary>
    private string WriteArchive()
    {
        var trace = Path.Combine(_folder.Path, "trace.etl");
        using (var etl = new SyntheticEtl(trace))
        {
            for (var i = 0; i < 50_000; i++)
                etl.Ready(i, i);
        }

        var archive = trace + ".zip";
        using (var zip = ZipFile.Open(archive, ZipArchiveMode.Create))
            zip.CreateEntryFromFile(trace, "trace.etl");
        return archive;
    }
}
