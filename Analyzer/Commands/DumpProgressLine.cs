using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Foundation.Terminals;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Shows the progress of the process that reads a dump, from the steps that it writes.</summary>
/// <param name="line">Displays the progress.</param>
internal sealed class DumpProgressLine(StepLine line)
{
    private Stopwatch _inStep = new();
    private string _step = "";

    /// <summary>Shows progress in the form: name of the step, unit, done, total, separated by tabs.</summary>
    public void Show(string progress)
    {
        if (
            progress.Split('\t') is not [var step, var unit, var doneText, var totalText]
            || !long.TryParse(doneText, CultureInfo.InvariantCulture, out var done)
            || !long.TryParse(totalText, CultureInfo.InvariantCulture, out var total)
        )
            return;
        if (step != _step)
            (_step, _inStep) = (step, Stopwatch.StartNew());
        line.Show(step, _inStep.Elapsed, unit, done, total);
    }

    public void End() => line.End();
}
