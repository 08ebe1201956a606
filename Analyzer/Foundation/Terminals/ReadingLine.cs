using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Foundation.Progress;

namespace EtwSerializerProfiler.Foundation.Terminals;

/// <summary>Shows how far trace files are read, from two seconds on, until it is disposed of: the reader that runs with its rate and time left, or how long the analysis takes already.</summary>
public sealed class ReadingLine : IDisposable
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(250);

    private readonly ReadProgress? _outer = ReadProgress.Current;
    private readonly ReadProgress _progress = new();
    private readonly Stopwatch _sinceBegin = Stopwatch.StartNew();
    private readonly StepLine? _line;
    private readonly Timer? _timer;

    /// <summary>Begins to show what is read in this flow of execution.</summary>
    /// <param name="line">Where it is shown; null to show nothing and only keep account.</param>
    public ReadingLine(StepLine? line)
    {
        _line = line;
        ReadProgress.Current = _progress;
        if (line is not null)
            _timer = new Timer(_ => Show(line), null, s_interval, s_interval);
    }

    /// <summary>Ends it.</summary>
    public void Dispose()
    {
        _timer?.Dispose();
        _line?.End();
        ReadProgress.Current = _outer;
    }

    /// <summary>What was read, a line for each pass over a file, and the whole: for whoever wants to know where the time went.</summary>
    public IEnumerable<string> Account()
    {
        foreach (var pass in _progress.Passes.Where(pass => pass.Bytes > 0))
        {
            var seconds = pass.Elapsed.TotalSeconds;
            yield return string.Create(CultureInfo.InvariantCulture, $"read {pass.Name}: {pass.Done / 1e6:0.0} of {pass.Bytes / 1e6:0.0} MB in {seconds:0.00} s ({pass.Done / 1e6 / Math.Max(seconds, 1e-6):0} MB/s, with its analysis)");
        }

        using var self = Process.GetCurrentProcess();
        yield return string.Create(CultureInfo.InvariantCulture, $"took {_sinceBegin.Elapsed.TotalSeconds:0.00} s, {self.TotalProcessorTime.TotalSeconds:0.00} s of CPU time; {self.PeakWorkingSet64 / 1e6:0} MB of memory at most");
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
