using System.Collections.Concurrent;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Features.Processes;

/// <summary>A running process that tries features, and what it said so far.</summary>
internal sealed class FeatureChild : IDisposable
{
    /// <summary>More memory than a trial needs: a serializer that goes round a cycle must not take the machine's. In hexadecimal.</summary>
    private const string HeapLimit = "C0000000";

    /// <summary>A zone with an offset, where the machine's own has none and local times would look like UTC.</summary>
    private const string ZoneWithOffset = "Asia/Kolkata";

    /// <summary>Less than this share of a processor is a deadlock, not a loaded machine.</summary>
    private const double LeastCpuShare = 0.05;

    /// <summary>So many limits on the clock are enough on any machine.</summary>
    private const int PatienceFactor = 10;

    private static readonly bool s_setsTimeZone = !OperatingSystem.IsWindows() && TimeZoneInfo.Local.BaseUtcOffset == TimeSpan.Zero;

    private readonly Process _process;
    private readonly TimeSpan _limit;
    private readonly BlockingCollection<string?> _lines = []; // null at the end
    private readonly ConcurrentQueue<string> _errors = [];

    /// <summary>Starts it.</summary>
    /// <param name="start">What to start.</param>
    /// <param name="limit">Longest silence, see <see cref="FeatureRunner"/>.</param>
    /// <exception cref="RunFailedException">It could not be started.</exception>
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

    /// <summary>Time zone of the processes.</summary>
    public static string TimeZone => s_setsTimeZone ? ZoneWithOffset : TimeZoneInfo.Local.Id;

    /// <summary>Reads what it says until it ends, crashes or hangs.</summary>
    /// <param name="first">Its first attempt, to which a crash before any is put down.</param>
    /// <param name="seen">Receives the cells.</param>
    /// <param name="stop">Ends it.</param>
    public void Collect(FeatureAttempt first, Dictionary<FeatureAttempt, FeatureCell> seen, CancellationToken stop)
    {
        FeatureAttempt? current = first;
        while (true)
        {
            if (!TryRead(out var line, stop))
            {
                End();
                if (current is { } hung)
                    seen[hung] = new FeatureCell(string.Create(CultureInfo.InvariantCulture, $"{FeatureCell.HungPrefix}{_limit.TotalSeconds:0.#} s)"));
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
        seen[crashed] = new FeatureCell(string.Create(CultureInfo.InvariantCulture, $"{FeatureCell.CrashedPrefix}{_process.ExitCode}"), Reason());
    }

    public void Dispose()
    {
        End();
        _process.Dispose();

        // _lines is not disposed: the last line of output may still be on its way to it.
    }

    /// <summary>Waits for a line; false when the process hangs.</summary>
    private bool TryRead(out string? line, CancellationToken stop)
    {
        var clock = Stopwatch.StartNew();
        var before = ProcessActivity.CpuTime(_process);
        while (!_lines.TryTake(out line, (int)_limit.TotalMilliseconds, stop))
        {
            // A loaded machine makes it slow: what it was given of a processor tells that from a deadlock and from a loop without end.
            var used = ProcessActivity.CpuTime(_process) - before;
            var isIdle = used.Ticks < clock.Elapsed.Ticks * LeastCpuShare && !ProcessActivity.HasRunnableThread(_process);
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

    /// <summary>What it said on standard error: its first line, and the second one where the first says only that it ended.</summary>
    private string Reason()
    {
        var lines = _errors.ToArray();
        return lines.Length == 0 ? "" : lines.Length > 1 && lines[0].StartsWith("Process terminated", StringComparison.Ordinal) ? $"{lines[0]} {lines[1]}" : lines[0];
    }
}
