namespace EtwSerializerProfiler.Sessions.Etw.Conduct;

/// <summary>Decides which sessions may be stopped and which ledger entries are obsolete after a recorder has ended.</summary>
public static class EtwLeftovers
{
    /// <summary>Sessions that may be stopped: those of recorders that have ended, and those of one process id that the user names.</summary>
    /// <param name="sessions">All sessions.</param>
    /// <param name="processId">A recorder whose sessions to stop even if a process with that id is running; null for none.</param>
    public static IReadOnlyList<EtwFoundSession> ToStop(IEnumerable<EtwFoundSession> sessions, int? processId) =>
        [.. sessions.Where(session => session.State == EtwSessionState.LeftBehind || (session.State == EtwSessionState.InUse && session.ProcessId == processId))];

    /// <summary>Whether a recorder that has ended may have left a changed sample interval on the machine.</summary>
    public static bool ChangedSampleInterval(EtwNotes notes)
    {
        ArgumentNullException.ThrowIfNull(notes);
        return notes.Read(out _).Any(note => note.SampleIntervalChanged && !EtwNotes.IsAlive(note));
    }

    /// <summary>Removes the entries of recorders that have ended, and of the one that the user named.</summary>
    public static void RemoveNotes(EtwNotes notes, int? processId)
    {
        ArgumentNullException.ThrowIfNull(notes);
        foreach (var note in notes.Read(out _).Where(note => note.ProcessId == processId || !EtwNotes.IsAlive(note)))
            notes.Remove(note.ProcessId);
    }
}
