using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Ownership;

/// <summary>Entry of the session ledger. A recorder writes it while its sessions run, so that they can be found after a crash.</summary>
/// <param name="ProcessId">The recorder.</param>
/// <param name="ProcessStartedUtc">Start time of the recorder, because process ids are reused.</param>
/// <param name="Tool">The tool that started the sessions.</param>
/// <param name="Folder">Folder of the recording.</param>
/// <param name="Sessions">Names of its sessions.</param>
/// <param name="SampleIntervalChanged">Whether the recorder changed the machine's sample interval.</param>
public sealed record EtwLedgerEntry(
    int ProcessId,
    DateTime ProcessStartedUtc,
    EtwTool Tool,
    string Folder,
    IReadOnlyList<string> Sessions,
    bool SampleIntervalChanged
);
