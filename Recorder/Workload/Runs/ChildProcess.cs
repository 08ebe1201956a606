using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Starts processes of one executable and waits for them.</summary>
/// <param name="fileName">The executable.</param>
/// <param name="leadingArguments">Arguments that stand before those of each call.</param>
/// <param name="limit">A process that takes longer is ended.</param>
public sealed class ChildProcess(string fileName, IReadOnlyList<string> leadingArguments, TimeSpan limit)
{
    /// <summary>More processes of the executable that is running, also where that is <c>dotnet esp-workload.dll</c> or <c>mono esp-workload.exe</c>.</summary>
    public static ChildProcess OfThisExecutable(TimeSpan limit)
    {
        var host = Environment.ProcessPath ?? throw new InvalidOperationException("The path of this process is unknown.");
        var isMuxer = SuiteRuntime.IsMono || Path.GetFileNameWithoutExtension(host).Equals("dotnet", StringComparison.OrdinalIgnoreCase);
        return new ChildProcess(host, isMuxer ? [typeof(ChildProcess).Assembly.Location] : [], limit);
    }

    /// <summary>Runs one process to its end.</summary>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="tellLaunch">Adds an argument: the <see cref="Stopwatch"/> tick just before the process is started.</param>
    /// <returns>Its exit code and all it wrote.</returns>
    /// <exception cref="RunFailedException">It could not be started, or hung.</exception>
    public (int ExitCode, string Output, string Error) Run(IReadOnlyList<string> arguments, bool tellLaunch = false)
    {
        var (exitCode, output, error) = Try(arguments, tellLaunch);
        return exitCode is { } code
            ? (code, output, error)
            : throw new RunFailedException(string.Create(CultureInfo.InvariantCulture, $"its process did not end within {limit.TotalSeconds} s and was killed"));
    }

    /// <summary>Runs one process to its end, or ends it when it takes too long.</summary>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="tellLaunch">Adds an argument: the <see cref="Stopwatch"/> tick just before the process is started.</param>
    /// <param name="environment">Variables of the process beside those of this one.</param>
    /// <exception cref="RunFailedException">It could not be started.</exception>
    public ChildResult Try(IReadOnlyList<string> arguments, bool tellLaunch = false, IReadOnlyDictionary<string, string>? environment = null)
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

    /// <summary>How such a process is started: its output is redirected.</summary>
    public ProcessStartInfo StartInfo(IReadOnlyList<string> arguments)
    {
        ArgumentNullException.ThrowIfNull(arguments);
        var start = new ProcessStartInfo(fileName) { RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false };
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

/// <summary>How a process ended and what it wrote until then.</summary>
/// <param name="ExitCode">Its exit code; null when it was ended because it took too long.</param>
/// <param name="Output">Its standard output.</param>
/// <param name="Error">Its standard error.</param>
public sealed record ChildResult(int? ExitCode, string Output, string Error);
