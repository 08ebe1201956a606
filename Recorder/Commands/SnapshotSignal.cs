using System.Runtime.InteropServices;
using System.Threading.Channels;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Turns SIGUSR1 into snapshot requests. Works on Linux and macOS only; elsewhere no request arrives.</summary>
internal sealed class SnapshotSignal : IDisposable
{
    /// <summary>
    /// Number of SIGUSR1 on Linux. <see cref="PosixSignal"/> has no name for it, but accepts the system's numbers on Unix.
    /// </summary>
    private const int LinuxNumber = 10;
    private const int MacNumber = 30;

    /// <summary>At most one request waits while a snapshot is being taken; further ones would find nothing new.</summary>
    private readonly Channel<string> _requests = Channel.CreateBounded<string>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite }
    );

    private readonly PosixSignalRegistration? _registration;

    public SnapshotSignal()
    {
        var number =
            OperatingSystem.IsLinux() ? LinuxNumber
            : OperatingSystem.IsMacOS() ? MacNumber
            : 0;
        if (number == 0)
            return;
        _registration = PosixSignalRegistration.Create(
            (PosixSignal)number,
            context =>
            {
                context.Cancel = true; // the default action ends the process
                _requests.Writer.TryWrite("SIGUSR1");
            }
        );
    }

    /// <summary>The requests; each item names its trigger.</summary>
    public ChannelReader<string> Requests => _requests.Reader;

    public void Dispose() => _registration?.Dispose();
}
