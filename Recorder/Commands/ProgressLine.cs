using System.Globalization;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Shows a recording's progress: one line that is rewritten on a terminal, a line every ten seconds elsewhere.</summary>
/// <param name="output">Where it goes.</param>
/// <param name="terminal">Whether that can rewrite a line.</param>
/// <param name="label">What is recorded, empty when there is one thing only.</param>
internal sealed class ProgressLine(TextWriter output, bool terminal, string label = "") : IProgress<RecordingProgress>
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(10);

    /// <summary>Share of the runs from which on they tell how long the others take.</summary>
    private const double FewestDone = 0.1;

    /// <summary>When the last line was written, elsewhere than on a terminal.</summary>
    private TimeSpan _last = TimeSpan.Zero;

    /// <summary>Characters of the line that stands on the terminal.</summary>
    private int _width;

    public void Report(RecordingProgress value)
    {
        if (value.Note.Length > 0)
        {
            Clear();
            output.WriteLine($"note: {value.Note}");
        }

        if (terminal)
        {
            var text = Format(value, label);
            output.Write("\r" + text.PadRight(_width));
            _width = text.Length;
        }
        else if (value.Elapsed - _last >= s_interval)
        {
            _last = value.Elapsed;
            output.WriteLine(Format(value, label));
        }
    }

    /// <summary>Takes the line off the terminal.</summary>
    public void Clear()
    {
        if (_width > 0)
            output.Write("\r" + new string(' ', _width) + "\r");
        _width = 0;
    }

    /// <summary>The progress in words: how far, how fast, and how long it may still take. Runs of a suite come in turns of all sizes, so that their number tells it roughly; the first ones, with start-up and warm-ups before them, do not.</summary>
    internal static string Format(RecordingProgress value, string label = "")
    {
        var seconds = value.Elapsed.TotalSeconds;
        var rate = seconds > 0 ? string.Create(CultureInfo.InvariantCulture, $", {value.Bytes / 1e6 / seconds:F1} MB/s") : "";
        var left = value.RunsDone > value.RunsPlanned * FewestDone && value.RunsPlanned > value.RunsDone
            ? string.Create(CultureInfo.InvariantCulture, $", about {seconds / value.RunsDone * (value.RunsPlanned - value.RunsDone):F0} s left")
            : "";
        var runs = value switch
        {
            { RunsPlanned: > 0 } => $"run {value.RunsDone} of {value.RunsPlanned}, ",
            { RunsDone: > 0 } => $"run {value.RunsDone}, ",
            _ => "",
        };
        return string.Create(CultureInfo.InvariantCulture, $"recording{(label.Length > 0 ? " " + label : "")}: {runs}{seconds:F0} s, {value.Bytes / 1e6:F1} MB of trace{rate}{left}");
    }
}
