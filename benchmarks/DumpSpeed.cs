using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Dumps;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>Measures time and memory of a dump's summary.</summary>
internal static class DumpSpeed
{
    public static Command Create()
    {
        var file = DumpMake.DumpFile();
        var roots = new Option<bool>("--roots") { Description = "Search root paths, too." };
        var command = new Command(
            "dump-speed",
            "Time and peak memory of a summary of a dump: threads, exceptions, heap by type and generation."
        )
        {
            file,
            roots,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(file)!, parsed.GetValue(roots), Console.Out));
        return command;
    }

    private static async Task RunAsync(string path, bool roots, TextWriter output)
    {
        var watch = Stopwatch.StartNew();
        var result = DumpAnalysis.Run(
            path,
            new DumpQuery(DumpSections.Default | DumpSections.Locks | (roots ? DumpSections.Roots : DumpSections.None))
        );
        var seconds = watch.Elapsed.TotalSeconds;
        await output
            .WriteLineAsync(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{path}: {new FileInfo(path).Length / 1e6:0.0} MB, {result.Heap?.Count} objects of {result.Heap?.Bytes / 1e6:0.0} MB in {seconds:0.0} s{(roots ? string.Create(CultureInfo.InvariantCulture, $" with root paths ({result.Roots?.ObjectsFollowed} objects followed, complete: {result.Roots?.IsComplete})") : "")}; peak memory {ProcessMemory.Peak()}"
                )
            )
            .ConfigureAwait(false);
        foreach (var finding in result.Findings)
            await output.WriteLineAsync(finding.Text).ConfigureAwait(false);
    }
}
