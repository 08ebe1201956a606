using System.Collections.Concurrent;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Features.Processes;

/// <summary>A running trial process and its output so far.</summary>
internal sealed class FeatureChild : IDisposable
{
    /// <summary>
    /// Memory limit in hexadecimal, larger than a trial needs: a serializer that follows a cycle endlessly must not exhaust the machine's
    /// memory.
    /// </summary>
    private const string HeapLimit = "C0000000";

    /// <summary>A time zone with an offset, for machines without one: local times would otherwise look like UTC.</summary>
    private const string ZoneWithOffset = "Asia/Kolkata";

    /// <summary>A smaller share of a processor indicates a deadlock instead of a loaded machine.</summary>
    private const double MinCpuShare = 0.05;

    /// <summary>Multiple of the limit on the wall clock that is sufficient on any machine.</summary>
    private const int PatienceFactor = 10;

    private static readonly bool s_setsTimeZone = !OperatingSystem.IsWindows() && TimeZoneInfo.Local.BaseUtcOffset == TimeSpan.Zero;

    private readonly Process _process;
    private readonly TimeSpan _limit;
    private readonly BlockingCollection<string?> _lines = []; // null at the end
    private readonly ConcurrentQueue<string> _errors = [];

    /// <summary>Starts the process.</summary>
    /// <param name="start">The command to start.</param>
    /// <param name="limit">Maximum silence; see <see cref="FeatureRunner"/>.</param>
    /// <exception cref="RunFailedException">The process cannot be started.</exception>
    public FeatureChild(ProcessStartInfo start, TimeSpan limit)
    {
        _limit = limit;
        start.EnvironmentVariables["DOTNET_GCHeapHardLimit"] = HeapLimit;
        if (s_setsTimeZone)
            start.EnvironmentVariables["TZ"] = ZoneWithOffset;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => _lines.Add(line.Data);
        _process.ErrorDataReceived += (_, line) => Keep(line.Data);
        try
        {
            _process.Start();
        }
        catch (Win32Exception exception)
        {
            _process.Dispose();
            throw new RunFailedException($"{start.FileName} could not be started: {FirstLine.Of(exception.Message)}");
        }

        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>Time zone of the trial processes.</summary>
    public static string TimeZone => s_setsTimeZone ? ZoneWithOffset : TimeZoneInfo.Local.Id;

    /// <summary>Reads the output until the process ends, crashes or hangs.</summary>
    /// <param name="first">Its first attempt; a crash before any attempt is attributed to it.</param>
    /// <param name="seen">Receives the results.</param>
    /// <param name="stop">Kills the process.</param>
    public void Collect(FeatureAttempt first, Dictionary<FeatureAttempt, FeatureCell> seen, CancellationToken stop)
    {
        FeatureAttempt? current = first;
        while (true)
        {
            if (!TryRead(out var line, stop))
            {
                End();
                if (current is { } hung)
                    seen[hung] = new FeatureCell(
                        string.Create(CultureInfo.InvariantCulture, $"{FeatureCell.HungPrefix}{_limit.TotalSeconds:0.#} s)")
                    );
                return;
            }

            if (line is null)
                break;
            if (FeatureAnswer.Parse(line) is not { } answer)
                continue;
            current = answer.Cell is null ? answer.Attempt : null;
            if (answer.Cell is not null)
                seen[answer.Attempt] = answer.Cell;
        }

        if (current is not { } crashed)
            return;
        _process.WaitForExit();
        seen[crashed] = new FeatureCell(
            string.Create(CultureInfo.InvariantCulture, $"{FeatureCell.CrashedPrefix}{_process.ExitCode}"),
            Reason()
        );
    }

    public void Dispose()
    {
        End();
        _process.Dispose();

        // _lines is not disposed, because the last line of output may still arrive.
    }

    /// <summary>Waits for a line; false when the process hangs.</summary>
    private bool TryRead(out string? line, CancellationToken stop)
    {
        var clock = Stopwatch.StartNew();
        var before = ProcessActivity.CpuTime(_process);
        while (!_lines.TryTake(out line, (int)_limit.TotalMilliseconds, stop))
        {
            // A loaded machine slows the process down. Its share of a processor distinguishes this from a deadlock and from an endless
            // loop.
            var used = ProcessActivity.CpuTime(_process) - before;
            var isIdle = used.Ticks < clock.Elapsed.Ticks * MinCpuShare && !ProcessActivity.HasRunnableThread(_process);
            if (used >= _limit || isIdle || clock.Elapsed.Ticks > _limit.Ticks * PatienceFactor)
                return false;
        }

        return true;
    }

    private void End()
    {
        try
        {
            if (!_process.HasExited)
                _process.Kill(entireProcessTree: true);
            _process.WaitForExit();
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
        {
            // It ended meanwhile.
        }
    }

    private void Keep(string? line)
    {
        if (line is not null && line.Trim().Length > 0 && _errors.Count < 2)
            _errors.Enqueue(line.Trim());
    }

    /// <summary>Its first line on standard error, and the second one if the first only reports the end.</summary>
    private string Reason()
    {
        var lines = _errors.ToArray();
        return lines.Length == 0 ? ""
            : lines.Length > 1 && lines[0].StartsWith("Process terminated", StringComparison.Ordinal) ? $"{lines[0]} {lines[1]}"
            : lines[0];
    }
}
