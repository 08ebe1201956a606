using System.Globalization;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Shows the progress of a recording: one line that is rewritten on a terminal, otherwise a line every ten seconds.</summary>
/// <param name="output">Receives the lines and notes.</param>
/// <param name="terminal">Whether the output can rewrite a line.</param>
/// <param name="label">Name of the recording; empty when there is only one.</param>
internal sealed class ProgressLine(TextWriter output, bool terminal, string label = "") : IProgress<RecordingProgress>
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(10);

    /// <summary>Minimum share of completed runs for an estimate of the remaining time.</summary>
    private const double MinDone = 0.1;

    /// <summary>When the last line was written; unused on a terminal.</summary>
    private TimeSpan _last = TimeSpan.Zero;

    /// <summary>Characters of the current line on the terminal.</summary>
    private int _width;

    public void Report(RecordingProgress value)
    {
        if (value.Note.Length > 0)
        {
            Clear();
            new ToolMessages(EspRecord.ToolName, output).Note(value.Note);
        }

        if (terminal)
        {
            var text = Format(value, label, withLoad: true);
            output.Write("\r" + text.PadRight(_width));
            _width = text.Length;
        }
        else if (value.Elapsed - _last >= s_interval)
        {
            _last = value.Elapsed;
            output.WriteLine(Format(value, label));
        }
    }

    /// <summary>Clears the line on the terminal.</summary>
    public void Clear()
    {
        if (_width > 0)
            output.Write("\r" + new string(' ', _width) + "\r");
        _width = 0;
    }

    /// <summary>
    /// Formats the progress: completed runs, data rate and estimated remaining time. Early runs include start-up and warm-up, so the
    /// estimate appears only after a tenth of the runs; run sizes vary, so it is rough.
    /// </summary>
    /// <param name="value">The progress.</param>
    /// <param name="label">Name of the recording; empty when there is only one.</param>
    /// <param name="withLoad">Whether to add the load of the program at this moment, which is of no use in a log.</param>
    internal static string Format(RecordingProgress value, string label = "", bool withLoad = false)
    {
        var seconds = value.Elapsed.TotalSeconds;
        var rate = seconds > 0 ? string.Create(CultureInfo.InvariantCulture, $", {value.Bytes / 1e6 / seconds:F1} MB/s") : "";
        if (seconds > 60 && value.RunsPlanned == 0)
            rate += string.Create(CultureInfo.InvariantCulture, $" ({value.Bytes / 1e9 / seconds * 3600:F1} GB an hour)");
        var left =
            value.RunsDone > value.RunsPlanned * MinDone && value.RunsPlanned > value.RunsDone
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $", about {seconds / value.RunsDone * (value.RunsPlanned - value.RunsDone):F0} s left"
                )
                : "";
        var runs = value switch
        {
            // Runs are repeated while code is compiled, so there may be more than were planned.
            _ when value.RunsPlanned >= value.RunsDone && value.RunsPlanned > 0 => $"run {value.RunsDone} of {value.RunsPlanned}, ",
            { RunsDone: > 0 } => $"run {value.RunsDone}, ",
            _ => "",
        };
        var load =
            withLoad && value.Load is { } now
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $", CPU {100 * now.Processors:F0} % of one processor, {now.MemoryBytes / 1e6:F0} MB of memory"
                )
                    + (
                        now.Gcs is { } gcs
                            ? string.Create(CultureInfo.InvariantCulture, $", {Plural.Of(gcs, "GC")} ({100 * now.PausedShare:F0} % paused)")
                            : ""
                    )
                : "";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"recording{(label.Length > 0 ? " " + label : "")}: {runs}{seconds:F0} s{load}, {value.Bytes / 1e6:F1} MB of trace{rate}{left}"
        );
    }
}
