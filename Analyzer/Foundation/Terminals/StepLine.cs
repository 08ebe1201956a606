using System.Diagnostics;
using System.Globalization;

namespace EtwSerializerProfiler.Foundation.Terminals;

/// <summary>
/// Shows the progress of a step that takes longer than two seconds, with rate and remaining time: a line that is rewritten or, when the
/// error stream is not a terminal, a line every few seconds.
/// </summary>
/// <param name="error">The error stream.</param>
/// <param name="isTerminal">Whether a line can be rewritten.</param>
public sealed class StepLine(TextWriter error, bool isTerminal)
{
    private static readonly TimeSpan s_quiet = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_betweenLines = TimeSpan.FromSeconds(5);

    private readonly Lock _lock = new();
    private readonly Stopwatch _sinceLine = new();

    /// <summary>Number of characters of the current line on the terminal.</summary>
    private int _width;

    private bool _ended;

    /// <summary>Shows progress if the step has taken long enough.</summary>
    /// <param name="step">Name of the step.</param>
    /// <param name="elapsed">Time so far.</param>
    /// <param name="unit">Unit of the numbers: <c>bytes</c> are shown in MB, others in thousands; empty to show only the time.</param>
    /// <param name="done">Amount done.</param>
    /// <param name="total">Total amount.</param>
    public void Show(string step, TimeSpan elapsed, string unit, long done, long total)
    {
        lock (_lock)
        {
            if (_ended || elapsed < s_quiet || (!isTerminal && _sinceLine.IsRunning && _sinceLine.Elapsed < s_betweenLines))
                return;
            _sinceLine.Restart();
            var line = Text(step, elapsed, unit, done, total);
            error.Write(isTerminal ? $"\r{line.PadRight(_width)}" : $"{line}{Environment.NewLine}");
            _width = line.Length;
        }
    }

    /// <summary>Removes the line.</summary>
    public void End()
    {
        lock (_lock)
        {
            if (isTerminal && _width > 0)
                error.Write($"\r{new string(' ', _width)}\r");
            (_width, _ended) = (0, true);
        }
    }

    /// <summary>Formats the progress.</summary>
    internal static string Text(string step, TimeSpan elapsed, string unit, long done, long total)
    {
        if (unit.Length == 0)
            return string.Create(CultureInfo.InvariantCulture, $"{step}: {elapsed.TotalSeconds:0} s");
        var rate = done / elapsed.TotalSeconds;
        var (scale, name) = unit == "bytes" ? (1e6, "MB") : (1e3, $"thousand {unit}");
        var left = rate > 0 && total > done ? string.Create(CultureInfo.InvariantCulture, $", {(total - done) / rate:0} s left") : "";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{step}: {done / scale:0} of {total / scale:0} {name}, {rate / scale:0} {name}/s{left}"
        );
    }
}
