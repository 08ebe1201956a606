using System.ComponentModel;
using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>
/// A program started with the shell's token. It is identified by its handle, because it may end before anyone can look it up by id.
/// </summary>
internal sealed class ShellProgram(SafeProcessHandle handle, int id) : IEtwProgram
{
    public int Id => id;

    public async Task<int> WaitAsync(CancellationToken cancellation)
    {
        // The wait handle does not own the process handle, which is closed once, below.
        using var wait = new EventWaitHandle(initialState: false, EventResetMode.ManualReset)
        {
            SafeWaitHandle = new SafeWaitHandle(handle.DangerousGetHandle(), ownsHandle: false),
        };
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var registration = ThreadPool.RegisterWaitForSingleObject(
            wait,
            (_, _) => ended.TrySetResult(),
            state: null,
            Timeout.Infinite,
            executeOnlyOnce: true
        );
        try
        {
            await ended.Task.WaitAsync(cancellation).ConfigureAwait(false);
        }
        finally
        {
            registration.Unregister(null);
        }

        return ShellToken.ExitCodeOf(handle);
    }

    public async Task EndAsync()
    {
        try
        {
            using var process = Process.GetProcessById(id);
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync().ConfigureAwait(false);
        }
        catch (Exception exception)
            when (exception is ArgumentException or InvalidOperationException or Win32Exception or AggregateException)
        {
            // It has ended.
        }
    }

    public ValueTask DisposeAsync()
    {
        handle.Dispose();
        return ValueTask.CompletedTask;
    }
}
