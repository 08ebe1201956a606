using System.Diagnostics;
using System.Globalization;

namespace EtwSerializerProfiler.Foundation.Terminals;

/// <summary>Shows how far a step is that takes longer than two seconds, with rate and time left: a line that is written again, or, where the error stream is no terminal, a line every some seconds.</summary>
/// <param name="error">Where it goes.</param>
/// <param name="isTerminal">Whether a line can be written again.</param>
public sealed class StepLine(TextWriter error, bool isTerminal)
{
    private static readonly TimeSpan s_quiet = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_betweenLines = TimeSpan.FromSeconds(5);

    private readonly Lock _lock = new();
    private readonly Stopwatch _sinceLine = new();

    /// <summary>Characters of the line that stands on the terminal.</summary>
    private int _width;

    private bool _ended;

    /// <summary>Shows progress, if the step has taken long enough.</summary>
    /// <param name="step">What is done.</param>
    /// <param name="elapsed">How long it has taken.</param>
    /// <param name="unit">What is counted: <c>bytes</c> are shown in MB, others in thousands; empty for nothing but the time.</param>
    /// <param name="done">How much was done.</param>
    /// <param name="total">How much there is.</param>
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

    /// <summary>Removes the line for good.</summary>
    public void End()
    {
        lock (_lock)
        {
            if (isTerminal && _width > 0)
                error.Write($"\r{new string(' ', _width)}\r");
            (_width, _ended) = (0, true);
        }
    }

    /// <summary>Progress in words.</summary>
    internal static string Text(string step, TimeSpan elapsed, string unit, long done, long total)
    {
        if (unit.Length == 0)
            return string.Create(CultureInfo.InvariantCulture, $"{step}: {elapsed.TotalSeconds:0} s");
        var rate = done / elapsed.TotalSeconds;
        var (scale, name) = unit == "bytes" ? (1e6, "MB") : (1e3, $"thousand {unit}");
        var left = rate > 0 && total > done ? string.Create(CultureInfo.InvariantCulture, $", {(total - done) / rate:0} s left") : "";
        return string.Create(CultureInfo.InvariantCulture, $"{step}: {done / scale:0} of {total / scale:0} {name}, {rate / scale:0} {name}/s{left}");
    }
}
