using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>
/// Ctrl+C, SIGTERM and SIGHUP (the terminal was closed) as tokens. The first signal ends the recording properly, the second kills the
/// recorded program, the third ends the recorder. Under nohup, SIGHUP stays ignored.
/// </summary>
internal sealed class InterruptSignals : IDisposable
{
    private readonly CancellationTokenSource _interrupt;
    private readonly CancellationTokenSource _kill = new();
    private readonly PosixSignalRegistration[] _registrations;

    public InterruptSignals(CancellationToken cancellation)
    {
        _interrupt = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        _registrations =
        [
            .. new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP }.Select(signal =>
                PosixSignalRegistration.Create(signal, Interrupt)
            ),
        ];
    }

    /// <summary>Cancelled by the first signal.</summary>
    public CancellationToken Token => _interrupt.Token;

    /// <summary>Cancelled by the second signal.</summary>
    public CancellationToken Kill => _kill.Token;

    public void Dispose()
    {
        foreach (var registration in _registrations)
            registration.Dispose();
        _interrupt.Dispose();
        _kill.Dispose();
    }

    private void Interrupt(PosixSignalContext context)
    {
        context.Cancel = !_kill.IsCancellationRequested; // the default action ends the process
        if (_interrupt.IsCancellationRequested)
            _kill.Cancel();
        else
            _interrupt.Cancel();
    }
}
