using System.Runtime.InteropServices;
using System.Threading.Channels;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Turns the signal SIGUSR1 into requests for snapshots. Elsewhere than on Linux and macOS it never asks.</summary>
internal sealed class SnapshotSignal : IDisposable
{
    /// <summary>Number of SIGUSR1, which <see cref="PosixSignal"/> does not name; on Unix it takes the system's numbers.</summary>
    private const int LinuxNumber = 10;
    private const int MacNumber = 30;

    /// <summary>One request may wait while a snapshot is being taken; more of them would find nothing new.</summary>
    private readonly Channel<string> _requests = Channel.CreateBounded<string>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    private readonly PosixSignalRegistration? _registration;

    public SnapshotSignal()
    {
        var number = OperatingSystem.IsLinux() ? LinuxNumber : OperatingSystem.IsMacOS() ? MacNumber : 0;
        if (number == 0)
            return;
        _registration = PosixSignalRegistration.Create((PosixSignal)number, context =>
        {
            context.Cancel = true; // by default it ends the process
            _requests.Writer.TryWrite("SIGUSR1");
        });
    }

    /// <summary>The requests; an item says what asks.</summary>
    public ChannelReader<string> Requests => _requests.Reader;

    public void Dispose() => _registration?.Dispose();
}
