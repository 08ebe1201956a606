using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>A program with known shares, recorded by other tools (where installed) and analysed here.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class OtherToolsTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-others-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Shares_in_a_file_of_perf_record_are_those_of_the_threads_clock()
    {
        const string Perf = "/usr/bin/perf";
        Assert.SkipUnless(File.Exists(Perf), "perf is not installed (Debian: apt-get install linux-perf)");
        var file = Path.Combine(_root, "perf.data");
        var printed = await RunAsync(
            Perf,
            "record",
            "-q",
            "-g",
            "-e",
            "cpu-clock",
            "-F",
            "997",
            "-o",
            file,
            "--",
            Tool.TestProgram,
            "shares",
            "1500"
        );
        Assert.SkipUnless(File.Exists(file), $"perf may not record here: {printed}");

        await SharesProgram.AssertAsync(printed, file);
        var summary = await Tool.AnalyzeAsync(file);
        Assert.Contains("ThreadClock.Spin", summary.Output, StringComparison.Ordinal);
        Assert.Contains("TestProgram: ", summary.Output, StringComparison.Ordinal);
    }

    /// <summary>
    /// The runtime writes no names of precompiled code into perf maps. The names come from the assemblies, and so do the callers of native
    /// code.
    /// </summary>
    [Fact]
    public async Task Precompiled_methods_in_a_file_of_perf_record_have_names_and_callers()
    {
        const string Perf = "/usr/bin/perf";
        Assert.SkipUnless(File.Exists(Perf), "perf is not installed (Debian: apt-get install linux-perf)");
        var file = Path.Combine(_root, "perf.data");
        var printed = await RunAsync(
            Perf,
            "record",
            "-q",
            "--call-graph",
            "dwarf,16384",
            "-e",
            "cpu-clock",
            "-F",
            "997",
            "-o",
            file,
            "--",
            Tool.TestProgram,
            "mixture",
            "400"
        );
        Assert.SkipUnless(File.Exists(file), $"perf may not record here: {printed}");

        // On a busy machine perf may lose the record of a mapped assembly, which nothing else names.
        Assert.SkipWhen(
            (await SharesProgram.AnalyzeAsync("stats", file)).GetProperty("totals").GetProperty("lostEvents").GetInt64() > 0,
            "perf lost records"
        );
        var mapped = (await Tool.AnalyzeAsync("events", file, "--id", "MMAP2", "--format", "csv")).Output;
        Assert.SkipUnless(
            mapped.Contains("System.Private.CoreLib.dll", StringComparison.Ordinal),
            "perf did not record the assembly's mapping"
        );

        var rows = (await SharesProgram.AnalyzeAsync("cpu", file))
            .GetProperty("rows")
            .EnumerateArray()
            .GroupBy(row => row.GetProperty("method").GetString()!, row => row.GetProperty("inclusiveSamples").GetInt64())
            .ToDictionary(group => group.Key, group => group.Sum());
        var seen = $"{printed}\n{string.Join('\n', rows.OrderByDescending(row => row.Value).Take(40))}";
        foreach (var (caller, callee) in ((string, string)[])[("Mixture.Collect", "System.GC.Collect"), ("Mixture.Hash", "SHA256_Update")])
            Assert.True(rows.GetValueOrDefault(callee) is > 0 and var samples && samples <= rows.GetValueOrDefault(caller), seen);

        // An export contains the names. It is made older than the assemblies here, so that no name comes from them.
        foreach (var format in (string[])["nettrace", "etl"])
        {
            var exported = Path.Combine(_root, "x." + format);
            Assert.Equal(0, (await Tool.AnalyzeAsync("export", file, "--to", format, "-o", exported)).ExitCode);
            File.SetLastWriteTimeUtc(exported, DateTime.UnixEpoch);
            var names = (await SharesProgram.AnalyzeAsync("cpu", exported))
                .GetProperty("rows")
                .EnumerateArray()
                .Select(row => row.GetProperty("method").GetString());
            Assert.Contains("System.GC.Collect", names);
        }
    }

    [Fact]
    public async Task Shares_in_a_file_of_dotnet_trace_are_those_of_the_threads_clock()
    {
        var tool = FindTool("dotnet-trace") ?? "";
        Assert.SkipUnless(tool.Length > 0, "dotnet-trace is not installed (dotnet tool install -g dotnet-trace)");
        var file = Path.Combine(_root, "x.nettrace");
        var printed = await RunAsync(tool, "collect", "--show-child-io", "-o", file, "--", Tool.TestProgram, "shares", "1500");
        Assert.True(File.Exists(file), printed);

        await SharesProgram.AssertAsync(printed[printed.IndexOf("more ", StringComparison.Ordinal)..], file);
    }

    [Fact]
    public async Task Shares_in_a_file_of_record_trace_are_those_of_the_threads_clock_and_switches_agree_with_samples()
    {
        var library = FindRecordTrace() ?? "";
        Assert.SkipUnless(library.Length > 0, "librecordtrace.so is not installed (dotnet tool install -g dotnet-trace)");
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "record-trace needs root");
        var file = Path.Combine(_root, "x.nettrace");
        var isDone = false;
        var recording = Task.Run(() => Record(library, file, () => Volatile.Read(ref isDone)), TestContext.Current.CancellationToken);
        string printed;
        try
        {
            printed = await RunAsync(Tool.TestProgram, "shares", "1500");
        }
        finally
        {
            Volatile.Write(ref isDone, true);
        }

        Assert.Equal(0, await recording);
        var (_, sampled) = await SharesProgram.AssertAsync(printed, file);
        var row = Assert.Single(
            (await SharesProgram.AnalyzeAsync("table", file)).GetProperty("rows").EnumerateArray().ToList(),
            item => item.GetProperty("serializer").GetString() == "TestProgram"
        );

        // record-trace loses switches on a busy machine, and a thread then counts as running for up to 20 periods: only the processors
        // bound the sum.
        Assert.InRange(
            row.GetProperty("cpuMs").GetDouble(),
            sampled * 0.95,
            row.GetProperty("wallMaxMs").GetDouble() * Environment.ProcessorCount
        );
    }

    /// <summary>
    /// Records the whole machine until the program has ended. The library's one function takes a command line and a callback; a callback
    /// that returns another value than 0 ends the recording.
    /// </summary>
    private static int Record(string library, string file, Func<bool> isDone)
    {
        var record = Marshal.GetDelegateForFunctionPointer<RecordTrace>(
            NativeLibrary.GetExport(NativeLibrary.Load(library), "RecordTrace")
        );
        var text = Encoding.UTF8.GetBytes($"--on-cpu --off-cpu --out {file}");
        return record(text, (nuint)text.Length, (_, _, _) => isDone() ? 1 : 0);
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int RecordTrace(byte[] text, nuint length, Output output);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int Output(uint kind, nint text, nuint length);

    private static string? FindTool(string name)
    {
        var folders = (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(Path.PathSeparator)
            .Append(Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".dotnet", "tools"));
        return folders.Select(folder => Path.Combine(folder, name)).FirstOrDefault(File.Exists);
    }

    /// <summary>The library is in the package of dotnet-trace, next to the tool.</summary>
    private static string? FindRecordTrace()
    {
        if (
            FindTool("dotnet-trace") is not { } tool
            || Path.Combine(Path.GetDirectoryName(tool)!, ".store", "dotnet-trace") is not { } store
            || !Directory.Exists(store)
        )
            return null;
        var architecture = RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? "linux-arm64" : "linux-x64";
        return Directory
            .EnumerateFiles(store, "librecordtrace.so", SearchOption.AllDirectories)
            .FirstOrDefault(path => path.Contains(architecture, StringComparison.Ordinal));
    }

    private static async Task<string> RunAsync(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["DOTNET_ROOT"] = Tool.DotNetRoot;
        start.Environment["DOTNET_PerfMapEnabled"] = "1";
        using var process = Process.Start(start)!;
        var result = await Tool.FinishAsync(process);
        return result.Output.Length > 0 ? result.Output : result.Error;
    }
}
