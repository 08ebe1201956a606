using System.Diagnostics;
using System.Globalization;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Shows how far a step is that takes longer: a line that is written again, or, where the error stream is no terminal, a line every some seconds.</summary>
/// <param name="error">Where it goes.</param>
/// <param name="isTerminal">Whether a line can be written again.</param>
internal sealed class DumpProgressLine(TextWriter error, bool isTerminal)
{
    private static readonly TimeSpan s_quiet = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_betweenLines = TimeSpan.FromSeconds(5);

    private readonly Stopwatch _sinceLine = new();
    private Stopwatch _inStep = new();
    private string _step = "";
    private int _width;

    /// <summary>Shows progress: name of the step, unit, done, total, each behind a tab.</summary>
    public void Show(string progress)
    {
        if (progress.Split('\t') is not [var step, var unit, var doneText, var totalText] || !long.TryParse(doneText, CultureInfo.InvariantCulture, out var done) || !long.TryParse(totalText, CultureInfo.InvariantCulture, out var total))
            return;
        if (step != _step)
            (_step, _inStep) = (step, Stopwatch.StartNew());
        if (_inStep.Elapsed < s_quiet || (!isTerminal && _sinceLine.IsRunning && _sinceLine.Elapsed < s_betweenLines))
            return;
        _sinceLine.Restart();
        var rate = done / _inStep.Elapsed.TotalSeconds;
        var (scale, name) = unit == "bytes" ? (1e6, "MB") : (1e3, $"thousand {unit}");
        var left = rate > 0 && total > done ? string.Create(CultureInfo.InvariantCulture, $", {(total - done) / rate:0} s left") : "";
        var line = string.Create(CultureInfo.InvariantCulture, $"{step}: {done / scale:0} of {total / scale:0} {name}, {rate / scale:0} {name}/s{left}");
        error.Write(isTerminal ? $"\r{line.PadRight(_width)}" : $"{line}{Environment.NewLine}");
        _width = Math.Max(_width, line.Length);
    }

    /// <summary>Removes the line.</summary>
    public void End()
    {
        if (isTerminal && _width > 0)
            error.Write($"\r{new string(' ', _width)}\r");
        _width = 0;
    }
}
