using System.Diagnostics;
using Microsoft.Diagnostics.NETCore.Client;

namespace EtwSerializerProfiler.Dumps.Tests;

/// <summary>
/// TestProgram dump, dumped three times: with its heap, with its heap after it made more objects, and without. Where the system permits no
/// dumps, tests are skipped.
/// </summary>
public sealed class DumpedProgram : IDisposable
{
    private readonly TempFolder _folder = new();

    public DumpedProgram()
    {
        var start = new ProcessStartInfo(
            Path.Combine(AppContext.BaseDirectory, "TestProgram" + (OperatingSystem.IsWindows() ? ".exe" : "")),
            ["dump"]
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardInput = true,
            RedirectStandardError = true,
        };
        // Createdump fails at a thread that ends meanwhile, as the one that compiles hot methods again does when it is idle.
        start.Environment["DOTNET_TC_BackgroundWorkerTimeoutMs"] = "7FFFFFFF";
        using var program = Process.Start(start)!;
        program.ErrorDataReceived += (_, _) => { }; // createdump writes its progress there
        program.BeginErrorReadLine();
        try
        {
            Facts = program.StandardOutput.ReadLine()!;
            Assert.Equal("ready", program.StandardOutput.ReadLine());
            ProcessId = program.Id;
            Write(DumpType.WithHeap, Heap);
            Write(DumpType.Normal, Mini);
            program.StandardInput.WriteLine();
            ReadUntil(program, "more");
            Write(DumpType.WithHeap, More);
        }
        catch (ServerErrorException exception)
        {
            Problem = exception.Message;
        }
        finally
        {
            program.Kill();
            program.WaitForExit();
        }
    }

    /// <summary>The program's own counts of its objects: <c>generations</c> of the items and the young ones.</summary>
    public string Facts { get; } = "";

    public int ProcessId { get; }

    public string Heap => Path.Combine(_folder.Path, "heap.dmp");

    public string Mini => Path.Combine(_folder.Path, "mini.dmp");

    public string More => Path.Combine(_folder.Path, "more.dmp");

    /// <summary>Why there are no dumps; empty when there are.</summary>
    public string Problem { get; } = "";

    /// <summary>Skips the test where the system permits no dumps.</summary>
    public void Need() => Assert.SkipWhen(Problem.Length > 0, $"a process cannot be dumped here: {Problem}");

    public void Dispose() => _folder.Dispose();

    private void Write(DumpType type, string path) => new DiagnosticsClient(ProcessId).WriteDump(type, path, WriteDumpFlags.None);

    /// <summary>createdump may write lines of its own between.</summary>
    private static void ReadUntil(Process program, string line)
    {
        while (program.StandardOutput.ReadLine() is { } read && read != line) { }
    }
}
