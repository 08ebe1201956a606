using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Sessions;

/// <summary>Writes kernel events as records to a perf.data file or into memory until it is stopped.</summary>
internal interface IKernelSession : IDisposable
{
    /// <summary>Counts of what was recorded so far; final after <see cref="Stop"/>. Readable from any thread.</summary>
    PerfSessionStatistics Statistics { get; }

    /// <summary>Why recording ended early; empty when it did not.</summary>
    string Error { get; }

    /// <summary>Whether records could not be written because the disk was full.</summary>
    bool CouldNotWrite { get; }

    /// <summary>Ends the recording and completes the file. Calling it again does nothing.</summary>
    void Stop();
}
