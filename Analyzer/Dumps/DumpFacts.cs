using EtwSerializerProfiler.Dumps.Files;

namespace EtwSerializerProfiler.Dumps;

/// <summary>The process of a dump and its runtime.</summary>
/// <param name="Kind">Format of the dump.</param>
/// <param name="FileBytes">Its size in bytes.</param>
/// <param name="ProcessId">Id of the process.</param>
/// <param name="Platform">System.</param>
/// <param name="Architecture">Processor.</param>
/// <param name="Runtime">Runtime with its version.</param>
/// <param name="RuntimePath">Path of the runtime's library in the process.</param>
/// <param name="IsServerCollector">Whether server GC is used.</param>
public sealed record DumpFacts(
    DumpKind Kind,
    long FileBytes,
    int ProcessId,
    string Platform,
    string Architecture,
    string Runtime,
    string RuntimePath,
    bool IsServerCollector
)
{
    /// <summary>The facts of an open dump.</summary>
    public static DumpFacts Of(DumpSession session)
    {
        ArgumentNullException.ThrowIfNull(session);
        return new DumpFacts(
            session.Header.Kind,
            session.Bytes,
            session.ProcessId,
            session.Platform,
            session.Architecture.ToString(),
            session.RuntimeName,
            session.RuntimePath,
            session.IsServerCollector
        );
    }
}
