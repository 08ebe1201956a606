using System.Diagnostics;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Workload.Tests.Commands;

/// <summary>The real executable, as the build put it beside the tests.</summary>
internal sealed class WorkloadProcess : IDisposable
{
    private readonly Process _process;
    private readonly Task<string> _output;
    private readonly Task<string> _error;

    private WorkloadProcess(string[] args)
    {
        var path = Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "esp-workload.exe" : "esp-workload");
        var start = new ProcessStartInfo(path, args) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["DOTNET_ROOT"] = Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));
        _process = Process.Start(start)!;
        _output = _process.StandardOutput.ReadToEndAsync();
        _error = _process.StandardError.ReadToEndAsync();
    }

    public int Id => _process.Id;

    public bool HasExited => _process.HasExited;

    public static WorkloadProcess Start(params string[] args) => new(args);

    public static (int ExitCode, string Output, string Error) Run(params string[] args)
    {
        using var process = new WorkloadProcess(args);
        return process.End();
    }

    public (int ExitCode, string Output, string Error) End()
    {
        Wait.ForExitAsync(_process).GetAwaiter().GetResult();

        // Tests of a debug build run a debug suite, which says so.
        var error = string.Concat(
            _error
                .Result.Split('\n')
                .Where(line => !line.Contains(" is a debug build", StringComparison.Ordinal))
                .Select(line => line + '\n')
        );
        return (_process.ExitCode, _output.Result, error.TrimEnd('\n'));
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }
}
