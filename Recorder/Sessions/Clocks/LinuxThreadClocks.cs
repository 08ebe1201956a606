using EtwSerializerProfiler.Sessions.PerfEvents;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>Clocks by <c>/proc/PID/task/TID/schedstat</c> (<see cref="ThreadSchedule"/>).</summary>
internal sealed class LinuxThreadClocks : IThreadClocks
{
    /// <inheritdoc />
    public TimeSpan ListInterval => TimeSpan.FromMilliseconds(20);

    /// <inheritdoc />
    public IReadOnlyList<int> Threads(int processId) => ProcessSnapshot.Threads(processId);

    /// <inheritdoc />
    public IThreadClock? Open(int processId, int thread)
    {
        try
        {
            return new Clock(File.OpenHandle($"/proc/{processId}/task/{thread}/schedstat"), $"/proc/{processId}/task/{thread}/comm");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <inheritdoc />
    public void Dispose()
    {
        // Holds nothing open.
    }

    private sealed class Clock(SafeFileHandle schedule, string namePath) : IThreadClock
    {
        public bool TryRead(out ThreadTime time)
        {
            time = default;
            Span<byte> text = stackalloc byte[ThreadSchedule.MaxText];
            try
            {
                if (!ThreadSchedule.TryParse(text[..RandomAccess.Read(schedule, text, 0)], out var read))
                    return false;
                time = new ThreadTime(read.Cpu, read.Ready);
                return true;
            }
            catch (IOException)
            {
                return false; // ESRCH
            }
        }

        public string? ReadName()
        {
            try
            {
                return File.ReadAllText(namePath).TrimEnd('\n');
            }
            catch (IOException)
            {
                return null;
            }
        }

        public void Dispose() => schedule.Dispose();
    }
}
