using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Workload.Commands;

/// <summary>Turns Ctrl+C and a request to terminate into an orderly stop after the current run. The second signal ends the process at once.</summary>
public sealed class StopSignals : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly PosixSignalRegistration[] _registrations;

    /// <summary>Starts listening.</summary>
    public StopSignals()
        => _registrations = [PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal), PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal)];

    /// <summary>Cancelled by the first signal.</summary>
    public CancellationToken Token => _stop.Token;

    /// <summary>Stops listening.</summary>
    public void Dispose()
    {
        foreach (var registration in _registrations)
            registration.Dispose();
        _stop.Dispose();
    }

    private void OnSignal(PosixSignalContext context)
    {
        context.Cancel = !_stop.IsCancellationRequested;
        _stop.Cancel();
    }
}
