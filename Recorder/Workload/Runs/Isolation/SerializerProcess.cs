using System.Collections.Concurrent;
using System.Diagnostics;

namespace EtwSerializerProfiler.Workload.Runs.Isolation;

/// <summary>The launcher's side of a process that measures one serializer in one launch.</summary>
public sealed class SerializerProcess : IDisposable
{
    private readonly Process _process;

    /// <summary>Answers not yet taken; completed when the process closes its output.</summary>
    private readonly BlockingCollection<int> _answers = [];

    private readonly Thread _reader;

    /// <summary>Starts the process.</summary>
    /// <param name="start">Start information.</param>
    /// <param name="output">Receives its other output.</param>
    /// <exception cref="System.ComponentModel.Win32Exception">The process cannot be started.</exception>
    public SerializerProcess(ProcessStartInfo start, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(start);
        ArgumentNullException.ThrowIfNull(output);
        start.RedirectStandardInput = start.RedirectStandardOutput = true;
        start.RedirectStandardError = false;
        _process = Process.Start(start) ?? throw new System.ComponentModel.Win32Exception($"{start.FileName} was not started");
        _reader = new Thread(() => Read(output)) { IsBackground = true };
        _reader.Start();
    }

    /// <summary>Exit code of a process that has ended.</summary>
    public int ExitCode => _process.ExitCode;

    /// <summary>Requests a phase.</summary>
    /// <returns>Whether the process is still running.</returns>
    public bool Ask(Phase phase, int otherRuns)
    {
        try
        {
            _process.StandardInput.WriteLine(PhaseGate.Line(phase, otherRuns));
            _process.StandardInput.Flush();
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    /// <summary>Waits until the phase is done.</summary>
    /// <returns>The process's own count of its runs, which may still grow; null when it has ended.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public int? Answer(CancellationToken stop) => _answers.TryTake(out var runs, Timeout.Infinite, stop) ? runs : null;

    /// <summary>Ends the process's work by closing its standard input.</summary>
    public void Finish()
    {
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // it has already ended
        }
    }

    /// <summary>Waits for the end of the process, and kills it at the time limit.</summary>
    /// <returns>Whether the process ended by itself.</returns>
    public bool WaitForEnd(TimeSpan limit)
    {
        var ended = _process.WaitForExit(limit);
        if (!ended)
        {
            _process.Kill(entireProcessTree: true);
            _process.WaitForExit();
        }

        _reader.Join(limit);
        return ended;
    }

    /// <inheritdoc />
    public void Dispose() => _process.Dispose();

    private void Read(TextWriter output)
    {
        while (_process.StandardOutput.ReadLine() is { } line)
        {
            if (PhaseGate.ReadAnswer(line) is { } runs)
                _answers.Add(runs);
            else
                output.WriteLine(line);
        }

        _answers.CompleteAdding();
    }
}
