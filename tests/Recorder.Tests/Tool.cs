using System.CommandLine;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using EtwSerializerProfiler.Analyzer.Commands;
using EtwSerializerProfiler.Recorder.Commands;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Runs esp-record as a user does, as a process from its own output folder, and esp-analyze.</summary>
internal static class Tool
{
    /// <summary>Where the runtime of this process is installed.</summary>
    public static string DotNetRoot { get; } = Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));

    /// <summary>The dotnet command.</summary>
    public static string Host { get; } = Path.Combine(DotNetRoot, OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet");

    /// <summary>Folder of the solution.</summary>
    public static string Sources => Metadata("SourceDirectory");

    /// <summary>Folder of esp-record.</summary>
    public static string RecorderDirectory => Metadata("RecorderDirectory");

    /// <summary>Configuration of this build.</summary>
    public static string Configuration => Metadata("Configuration");

    public static string TestProgram { get; } =
        Path.Combine(AppContext.BaseDirectory, "TestProgram" + (OperatingSystem.IsWindows() ? ".exe" : ""));

    /// <summary>A web service that sends requests to itself; built with these tests.</summary>
    public static string TestWebProgram { get; } =
        Path.Combine(
            AppContext.BaseDirectory,
            "..",
            "..",
            "TestWebProgram",
            new DirectoryInfo(AppContext.BaseDirectory).Name,
            "TestWebProgram" + (OperatingSystem.IsWindows() ? ".exe" : "")
        );

    public static Task<ToolResult> RecordAsync(params string[] arguments) => RunAsync("RecorderDirectory", "esp-record.dll", arguments);

    /// <summary>
    /// Runs esp-record in this process, for command lines that are wrong, request help or only print. Starting a process for each would
    /// take most of a test's time.
    /// </summary>
    public static Task<ToolResult> RecordHereAsync(params string[] arguments) =>
        Task.Run(async () =>
        {
            await using var output = new StringWriter();
            await using var error = new StringWriter();
            var exitCode = await EspRecord.RunAsync(arguments, output, error);
            return new ToolResult(exitCode, output.ToString(), error.ToString());
        });

    /// <summary>
    /// Records without a table, which this process then creates: for a small recording the table takes most of the recorder's time.
    /// </summary>
    /// <param name="arguments">The command line, with <c>--out FOLDER</c>.</param>
    /// <returns>The table as JSON, or how the recording failed.</returns>
    public static async Task<ToolResult> RecordTableAsync(params string[] arguments)
    {
        var at = Array.IndexOf(arguments, "--out");
        var recorded = await RecordAsync([.. arguments[..at], "--no-analyze", .. arguments[at..]]);
        if (recorded.ExitCode != 0)
            return recorded;
        var table = await AnalyzeAsync("table", arguments[at + 1], "--format", "json");
        return table with { Error = recorded.Error + table.Error };
    }

    /// <summary>Runs esp-record with a variable, which the recorded program inherits.</summary>
    public static async Task<ToolResult> RecordWithAsync((string Name, string Value) variable, params string[] arguments)
    {
        using var process = Start("RecorderDirectory", "esp-record.dll", arguments, variable);
        return await FinishAsync(process);
    }

    /// <summary>
    /// Runs esp-analyze in this process: these tests check what is recorded, and a process for each report would take most of a test's
    /// time. The examples of the documentation run as processes.
    /// </summary>
    public static Task<ToolResult> AnalyzeAsync(params string[] arguments) =>
        Task.Run(() =>
        {
            using var output = new StringWriter();
            using var error = new StringWriter();
            var exitCode = RootCommandFactory.Run(arguments, new InvocationConfiguration { Output = output, Error = error });
            return new ToolResult(exitCode, output.ToString(), error.ToString());
        });

    /// <summary>Runs esp-record as an ordinary user, from root.</summary>
    public static async Task<ToolResult> RecordAsNobodyAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo(
            Nobody.SetPrivileges,
            [.. Nobody.Arguments, Host, Path.Combine(Metadata("RecorderDirectory"), "esp-record.dll"), .. arguments]
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["DOTNET_ROOT"] = DotNetRoot;
        start.Environment["HOME"] = Path.GetTempPath();
        using var process = Process.Start(start)!;
        return await FinishAsync(process);
    }

    /// <summary>Runs esp-record under a filter by which the system refuses perf events, as Docker's default profile does.</summary>
    public static async Task<ToolResult> RecordRefusedAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo(TestProgram, ["refused", Host, Path.Combine(RecorderDirectory, "esp-record.dll"), .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["DOTNET_ROOT"] = DotNetRoot;
        using var process = Process.Start(start)!;
        return await FinishAsync(process);
    }

    /// <summary>Runs esp-record by a shell script, which has its command as arguments.</summary>
    public static async Task<ToolResult> ShellAsync(string script, (string Name, string Value)[] environment, params string[] arguments)
    {
        var start = new ProcessStartInfo(
            "/bin/sh",
            ["-c", script, "sh", Host, Path.Combine(RecorderDirectory, "esp-record.dll"), .. arguments]
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["DOTNET_ROOT"] = DotNetRoot;
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        using var process = Process.Start(start)!;
        return await FinishAsync(process);
    }

    /// <summary>Runs esp-record in a folder.</summary>
    public static Task<ToolResult> RecordInAsync(string folder, params string[] arguments) =>
        RunInAsync(folder, "RecorderDirectory", "esp-record.dll", arguments);

    /// <summary>Runs esp-analyze in a folder.</summary>
    public static Task<ToolResult> AnalyzeInAsync(string folder, params string[] arguments) =>
        RunInAsync(folder, "AnalyzerDirectory", "esp-analyze.dll", arguments);

    public static Process Start(
        string directoryKey,
        string assembly,
        IEnumerable<string> arguments,
        params (string Name, string Value)[] environment
    ) => StartIn(Path.GetTempPath(), directoryKey, assembly, arguments, environment);

    private static async Task<ToolResult> RunInAsync(string folder, string directoryKey, string assembly, string[] arguments)
    {
        using var process = StartIn(folder, directoryKey, assembly, arguments);
        return await FinishAsync(process);
    }

    private static Process StartIn(
        string folder,
        string directoryKey,
        string assembly,
        IEnumerable<string> arguments,
        params (string Name, string Value)[] environment
    )
    {
        var start = new ProcessStartInfo(Host)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        start.Environment["DOTNET_ROOT"] = DotNetRoot;
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        start.ArgumentList.Add(Path.Combine(Metadata(directoryKey), assembly));
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        return Process.Start(start)!;
    }

    private static async Task<ToolResult> RunAsync(string directoryKey, string assembly, string[] arguments)
    {
        using var process = Start(directoryKey, assembly, arguments);
        return await FinishAsync(process);
    }

    public static async Task<ToolResult> FinishAsync(Process process)
    {
        var output = process.StandardOutput.ReadToEndAsync();
        var error = process.StandardError.ReadToEndAsync();
        await Wait.ForExitAsync(process);
        return new ToolResult(process.ExitCode, await output.WaitAsync(Wait.Limit), await error.WaitAsync(Wait.Limit));
    }

    /// <summary>Sends a signal to a process.</summary>
    public static async Task SignalAsync(Process process, string signal)
    {
        using var kill = Process.Start("kill", [$"-{signal}", $"{process.Id}"]);
        await Wait.ForExitAsync(kill);
    }

    /// <summary>Text of a file that another process may be writing; empty when there is none yet.</summary>
    public static string ReadShared(string path)
    {
        if (!File.Exists(path))
            return "";
        using var reader = new StreamReader(new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));
        return reader.ReadToEnd();
    }

    /// <summary>Lines in such a file.</summary>
    public static int LinesOf(string path) => ReadShared(path).Count(character => character == '\n');

    /// <summary>How often a text occurs in an event trace (in UTF-16), while it is written.</summary>
    public static int CountInTrace(string path, string text)
    {
        if (!File.Exists(path))
            return 0;
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var bytes = new byte[file.Length];
        return bytes.AsSpan(0, file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false)).Count(Encoding.Unicode.GetBytes(text));
    }

    private static string Metadata(string key) =>
        typeof(Tool).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(attribute => attribute.Key == key).Value!;
}
