using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Ctrl+C, SIGTERM and SIGHUP (the terminal was closed) as a token: what is being recorded ends in order. Under nohup SIGHUP stays ignored.</summary>
internal sealed class InterruptSignals : IDisposable
{
    private readonly CancellationTokenSource _interrupt;
    private readonly PosixSignalRegistration[] _registrations;

    public InterruptSignals(CancellationToken cancellation)
    {
        _interrupt = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        _registrations = [.. new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP }.Select(signal => PosixSignalRegistration.Create(signal, Interrupt))];
    }

    /// <summary>Cancelled by the first signal.</summary>
    public CancellationToken Token => _interrupt.Token;

    public void Dispose()
    {
        foreach (var registration in _registrations)
            registration.Dispose();
        _interrupt.Dispose();
    }

    private void Interrupt(PosixSignalContext context)
    {
        context.Cancel = true; // by default it ends the process
        _interrupt.Cancel();
    }
}
