#if NET
using System.Runtime.InteropServices;
#endif

namespace EtwSerializerProfiler.Workload.Commands;

/// <summary>
/// Turns Ctrl+C and SIGTERM (.NET Framework and Mono: only Ctrl+C) into a normal end after the current run. The second signal ends the
/// process at once.
/// </summary>
public sealed class StopSignals : IDisposable
{
    private readonly CancellationTokenSource _stop = new();

#if NET
    private readonly PosixSignalRegistration[] _registrations;

    /// <summary>Starts listening.</summary>
    public StopSignals() =>
        _registrations = [
            PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal),
            PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal),
        ];
#else
    /// <summary>Starts listening.</summary>
    public StopSignals() => Console.CancelKeyPress += OnSignal;
#endif

    /// <summary>Cancelled by the first signal.</summary>
    public CancellationToken Token => _stop.Token;

    /// <summary>Stops listening.</summary>
    public void Dispose()
    {
#if NET
        foreach (var registration in _registrations)
            registration.Dispose();
#else
        Console.CancelKeyPress -= OnSignal;
#endif
        _stop.Dispose();
    }

#if NET
    private void OnSignal(PosixSignalContext context)
#else
    private void OnSignal(object? sender, ConsoleCancelEventArgs context)
#endif
    {
        context.Cancel = !_stop.IsCancellationRequested;
        _stop.Cancel();
    }
}
