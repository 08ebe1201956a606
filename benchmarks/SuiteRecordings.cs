using System.Reflection;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>Recordings of the suite that a benchmark makes with esp-record, as a user does.</summary>
internal static class SuiteRecordings
{
    /// <summary>Records the suite unless the recording is there.</summary>
    /// <param name="path">Folder of the recording.</param>
    /// <param name="arguments">Arguments of esp-record and the suite.</param>
    /// <param name="variable">A variable that the suite inherits.</param>
    /// <returns>The recorder's exit code.</returns>
    public static async Task<int> MakeAsync(string path, IEnumerable<string> arguments, (string Name, string? Value)? variable = null)
    {
        if (Directory.Exists(path))
            return 0;
        var environment = variable is var (name, value) ? new Dictionary<string, string?> { [name] = value } : [];
        await using var child = ChildProcess.Start(
            [File("RecorderDirectory", "esp-record"), "record", .. arguments, "--out", path],
            Environment.CurrentDirectory,
            environment,
            TextWriter.Null
        );
        await child.WaitForExitAsync(CancellationToken.None).ConfigureAwait(false);
        return child.ExitCode!.Value; // it has ended
    }

    /// <summary>Reads and analyzes a recording.</summary>
    public static ComparedRecording Read(string path)
    {
        var input = TraceInputReader.Open([path]);
        return new ComparedRecording(
            path,
            input,
            RunAnalysis.Run(input.Processes, [], new SymbolReading(SymbolFiles.Of(input)), causeMethods: true, recordings: input.Recordings)
        );
    }

    /// <summary>A file in another project's output.</summary>
    /// <param name="folder">Name of the folder in the assembly's metadata.</param>
    /// <param name="name">The file; a program without its extension.</param>
    public static string File(string folder, string name)
    {
        var path = Path.Combine(
            typeof(SuiteRecordings)
                .Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
                .Single(attribute => attribute.Key == folder)
                .Value!,
            name
        );
        return OperatingSystem.IsWindows() && !Path.HasExtension(path) ? path + ".exe" : path;
    }
}
