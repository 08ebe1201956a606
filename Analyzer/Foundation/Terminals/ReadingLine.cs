using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Foundation.Progress;

namespace EtwSerializerProfiler.Foundation.Terminals;

/// <summary>
/// Shows the progress of reading trace files after two seconds, until it is disposed: the current reader with its rate and remaining time,
/// or the duration of the analysis so far.
/// </summary>
public sealed class ReadingLine : IDisposable
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(250);

    private readonly ReadProgress? _outer = ReadProgress.Current;
    private readonly ReadProgress _progress = new();
    private readonly Stopwatch _sinceBegin = Stopwatch.StartNew();
    private readonly StepLine? _line;
    private readonly Timer? _timer;

    /// <summary>Starts showing what is read in this flow of execution.</summary>
    /// <param name="line">The line; null to show nothing and only record times.</param>
    public ReadingLine(StepLine? line)
    {
        _line = line;
        ReadProgress.Current = _progress;
        if (line is not null)
            _timer = new Timer(_ => Show(line), null, s_interval, s_interval);
    }

    /// <summary>Ends the display.</summary>
    public void Dispose()
    {
        _timer?.Dispose();
        _line?.End();
        ReadProgress.Current = _outer;
    }

    /// <summary>Times of all passes over files and of the whole, a line each.</summary>
    public IEnumerable<string> Account()
    {
        foreach (var pass in _progress.Passes.Where(pass => pass.Bytes > 0))
        {
            var seconds = pass.Elapsed.TotalSeconds;
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"read {pass.Name}: {pass.Done / 1e6:0.0} of {pass.Bytes / 1e6:0.0} MB in {seconds:0.00} s ({pass.Done / 1e6 / Math.Max(seconds, 1e-6):0} MB/s, with its analysis)"
            );
        }

        using var self = Process.GetCurrentProcess();
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"took {_sinceBegin.Elapsed.TotalSeconds:0.00} s, {self.TotalProcessorTime.TotalSeconds:0.00} s of CPU time; {self.PeakWorkingSet64 / 1e6:0} MB of peak memory"
        );
    }

    private void Show(StepLine line)
    {
        if (_progress.Elsewhere is { } step)
            line.Show(step.Name, _sinceBegin.Elapsed, "bytes", step.Done, step.Bytes);
        else if (_progress.Running is { } pass)
            line.Show($"reading {Path.GetFileName(pass.Name)}", pass.Elapsed, "bytes", pass.Done, pass.Bytes);
        else
            line.Show("analyzing", _sinceBegin.Elapsed, "", 0, 0);
    }
}
