using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Foundation.Terminals;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Shows how far the process is that reads a dump, by what it writes of its steps.</summary>
/// <param name="line">Where it is shown.</param>
internal sealed class DumpProgressLine(StepLine line)
{
    private Stopwatch _inStep = new();
    private string _step = "";

    /// <summary>Shows progress: name of the step, unit, done, total, each behind a tab.</summary>
    public void Show(string progress)
    {
        if (progress.Split('\t') is not [var step, var unit, var doneText, var totalText] || !long.TryParse(doneText, CultureInfo.InvariantCulture, out var done) || !long.TryParse(totalText, CultureInfo.InvariantCulture, out var total))
            return;
        if (step != _step)
            (_step, _inStep) = (step, Stopwatch.StartNew());
        line.Show(step, _inStep.Elapsed, unit, done, total);
    }

    /// <summary>Removes the line.</summary>
    public void End() => line.End();
}
