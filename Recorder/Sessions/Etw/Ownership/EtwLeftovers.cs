namespace EtwSerializerProfiler.Sessions.Etw.Ownership;

/// <summary>Decides which sessions may be stopped and which ledger entries are obsolete after a recorder has ended.</summary>
public static class EtwLeftovers
{
    /// <summary>
    /// Sessions that may be stopped: those of recorders that have ended, and those of one process id that the user names.
    /// </summary>
    /// <param name="sessions">All sessions.</param>
    /// <param name="processId">A recorder whose sessions to stop even if a process with that id is running; null for none.</param>
    public static IReadOnlyList<EtwFoundSession> ToStop(IEnumerable<EtwFoundSession> sessions, int? processId) =>
        [
            .. sessions.Where(session =>
                session.State == EtwSessionState.LeftBehind || (session.State == EtwSessionState.InUse && session.ProcessId == processId)
            ),
        ];

    /// <summary>Whether a recorder that has ended may have left a changed sample interval on the machine.</summary>
    public static bool ChangedSampleInterval(EtwLedger ledger)
    {
        ArgumentNullException.ThrowIfNull(ledger);
        return ledger.Read(out _).Any(entry => entry.SampleIntervalChanged && !EtwLedger.IsAlive(entry));
    }

    /// <summary>Removes the entries of recorders that have ended, and of the one that the user named.</summary>
    public static void RemoveEntries(EtwLedger ledger, int? processId)
    {
        ArgumentNullException.ThrowIfNull(ledger);
        foreach (var entry in ledger.Read(out _).Where(entry => entry.ProcessId == processId || !EtwLedger.IsAlive(entry)))
            ledger.Remove(entry.ProcessId);
    }
}
