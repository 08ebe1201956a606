namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>A program that was started to be recorded.</summary>
public interface IEtwProgram : IAsyncDisposable
{
    /// <summary>Process id.</summary>
    int Id { get; }

    /// <summary>Waits for its end.</summary>
    /// <returns>Its exit code.</returns>
    Task<int> WaitAsync(CancellationToken cancellation);

    /// <summary>Ends it and what it started.</summary>
    Task EndAsync();
}
