using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Sessions;

/// <summary>Writes records of the kernel's kind into a perf.data file, or into memory, until it is stopped.</summary>
internal interface IKernelSession : IDisposable
{
    /// <summary>What was recorded so far; final after <see cref="Stop"/>. Readable from any thread.</summary>
    PerfSessionStatistics Statistics { get; }

    /// <summary>Why recording ended early, empty when it did not.</summary>
    string Error { get; }

    /// <summary>Whether the records could not be written to their end: the disk was full.</summary>
    bool CouldNotWrite { get; }

    /// <summary>Ends the recording and completes the file. Calling it again does nothing.</summary>
    void Stop();
}
