namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>The recorded program after its start.</summary>
public interface IEtwProgram : IAsyncDisposable
{
    /// <summary>Process id.</summary>
    int Id { get; }

    /// <summary>Waits until it has ended.</summary>
    /// <returns>Its exit code.</returns>
    Task<int> WaitAsync(CancellationToken cancellation);

    /// <summary>Kills it and its child processes.</summary>
    Task EndAsync();
}
