using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Starts processes of one executable and waits for them.</summary>
/// <param name="fileName">The executable.</param>
/// <param name="leadingArguments">Arguments before those of each call.</param>
/// <param name="limit">Time limit of a process; then it is killed.</param>
public sealed class ChildProcess(string fileName, IReadOnlyList<string> leadingArguments, TimeSpan limit)
{
    /// <summary>
    /// Creates processes of the running executable, even if that is <c>dotnet esp-workload.dll</c> or <c>mono esp-workload.exe</c>.
    /// </summary>
    public static ChildProcess OfThisExecutable(TimeSpan limit)
    {
        var host = Environment.ProcessPath ?? throw new InvalidOperationException("The path of this process is unknown.");
        var isMuxer = SuiteRuntime.IsMono || Path.GetFileNameWithoutExtension(host).Equals("dotnet", StringComparison.OrdinalIgnoreCase);
        return new ChildProcess(host, isMuxer ? [typeof(ChildProcess).Assembly.Location] : [], limit);
    }

    /// <summary>Runs one process until it ends.</summary>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="tellLaunch">Whether to add an argument with the <see cref="Stopwatch"/> tick just before the launch.</param>
    /// <param name="environment">Variables in addition to those of this process.</param>
    /// <returns>Its exit code and complete output.</returns>
    /// <exception cref="RunFailedException">The process could not be started or was killed at the time limit.</exception>
    public (int ExitCode, string Output, string Error) Run(
        IReadOnlyList<string> arguments,
        bool tellLaunch = false,
        IReadOnlyDictionary<string, string>? environment = null
    )
    {
        var (exitCode, output, error) = Try(arguments, tellLaunch, environment);
        return exitCode is { } code
            ? (code, output, error)
            : throw new RunFailedException(
                string.Create(CultureInfo.InvariantCulture, $"its process did not end within {limit.TotalSeconds} s and was killed")
            );
    }

    /// <summary>Runs one process until it ends, or kills it at the time limit.</summary>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="tellLaunch">Whether to add an argument with the <see cref="Stopwatch"/> tick just before the launch.</param>
    /// <param name="environment">Variables in addition to those of this process.</param>
    /// <exception cref="RunFailedException">The process could not be started.</exception>
    public ChildResult Try(
        IReadOnlyList<string> arguments,
        bool tellLaunch = false,
        IReadOnlyDictionary<string, string>? environment = null
    )
    {
        ArgumentNullException.ThrowIfNull(arguments);
        var start = StartInfo(arguments);
        if (tellLaunch)
        {
            var now = Stopwatch.GetTimestamp().ToString(CultureInfo.InvariantCulture);
#if NET
            start.ArgumentList.Add(now);
#else
            start.Arguments += " " + now;
#endif
        }

        foreach (var variable in environment ?? new Dictionary<string, string>())
            start.EnvironmentVariables[variable.Key] = variable.Value;

        using var process = Start(start);
        var output = process.StandardOutput.ReadToEndAsync();
        var error = process.StandardError.ReadToEndAsync();
        var ended = process.WaitForExit(limit);
        if (!ended)
        {
            process.Kill(entireProcessTree: true);
            process.WaitForExit();
        }

        return new ChildResult(ended ? process.ExitCode : null, output.GetAwaiter().GetResult(), error.GetAwaiter().GetResult());
    }

    /// <summary>Start information for a process with redirected output.</summary>
    public ProcessStartInfo StartInfo(IReadOnlyList<string> arguments)
    {
        ArgumentNullException.ThrowIfNull(arguments);
        var start = new ProcessStartInfo(fileName)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
#if NET
        foreach (var argument in leadingArguments.Concat(arguments))
            start.ArgumentList.Add(argument);
#else
        start.SetArguments(leadingArguments.Concat(arguments));
#endif
        return start;
    }

    private static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start) ?? throw new RunFailedException($"{start.FileName} was not started");
        }
        catch (Win32Exception exception)
        {
            throw new RunFailedException($"{start.FileName} could not be started: {FirstLine.Of(exception.Message)}");
        }
    }
}

/// <summary>Result of a process with its output.</summary>
/// <param name="ExitCode">Its exit code; null when it was killed at the time limit.</param>
/// <param name="Output">Its standard output.</param>
/// <param name="Error">Its standard error.</param>
public sealed record ChildResult(int? ExitCode, string Output, string Error);
