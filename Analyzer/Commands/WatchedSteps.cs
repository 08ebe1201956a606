using System.Diagnostics;
using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Dumps;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>
/// The watched process's side: writes its current step and progress to a file that outlives it, and skips the steps in which an earlier
/// process ended.
/// </summary>
internal sealed class WatchedSteps : IDisposable
{
    /// <summary>Hidden option that names the folder of these files.</summary>
    public const string Option = "--watched";

    /// <summary>Name of the file with the step.</summary>
    public const string StepFile = "step";

    /// <summary>Name of the file with the steps to skip: step, tab, reason.</summary>
    public const string LeftFile = "left";

    private static readonly TimeSpan s_between = TimeSpan.FromMilliseconds(250);

    private readonly FileStream _file;
    private readonly Stopwatch _sinceProgress = Stopwatch.StartNew();
    private string _step = "";

    public WatchedSteps(string folder)
    {
        _file = new FileStream(Path.Combine(folder, StepFile), FileMode.Create, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        var left = Path.Combine(folder, LeftFile);
        Stages = new DumpStages(
            Enter,
            File.Exists(left)
                ? File.ReadAllLines(left)
                    .Select(line => line.Split('\t'))
                    .Where(parts => parts.Length == 2)
                    .ToDictionary(parts => parts[0], parts => parts[1])
                : null
        );
        Progress = new DumpProgress(Report);
    }

    public DumpStages Stages { get; }

    public DumpProgress Progress { get; }

    public void Dispose() => _file.Dispose();

    private void Enter(string step)
    {
        _step = step;
        Write("");
    }

    private void Report(string what, string unit, long done, long total)
    {
        if (_sinceProgress.Elapsed < s_between && done > 0)
            return;
        _sinceProgress.Restart();
        Write(string.Create(CultureInfo.InvariantCulture, $"{what}\t{unit}\t{done}\t{total}"));
    }

    /// <summary>Writes once, so that a reader sees a step with its progress.</summary>
    private void Write(string progress)
    {
        var bytes = Encoding.UTF8.GetBytes($"{_step}\n{progress}\n");
        _file.Position = 0;
        _file.Write(bytes);
        _file.SetLength(bytes.Length);
    }
}
