namespace EtwSerializerProfiler.Sessions.Etw.Conduct;

/// <summary>What a recorder left behind: which sessions may be stopped, and which notes are of no use any more.</summary>
public static class EtwLeftovers
{
    /// <summary>Sessions that may be stopped: those of recorders that are gone, and those of one process id that the user names.</summary>
    /// <param name="sessions">All sessions.</param>
    /// <param name="processId">A recorder whose sessions the user wants stopped although a process of that id runs; null for none.</param>
    public static IReadOnlyList<EtwFoundSession> ToStop(IEnumerable<EtwFoundSession> sessions, int? processId) =>
        [.. sessions.Where(session => session.State == EtwSessionState.LeftBehind || (session.State == EtwSessionState.InUse && session.ProcessId == processId))];

    /// <summary>Whether a recorder that is gone may have left the machine with a changed sample interval.</summary>
    public static bool ChangedSampleInterval(EtwNotes notes)
    {
        ArgumentNullException.ThrowIfNull(notes);
        return notes.Read(out _).Any(note => note.SampleIntervalChanged && !EtwNotes.IsAlive(note));
    }

    /// <summary>Removes the notes of recorders that are gone, and of the one that the user named.</summary>
    public static void RemoveNotes(EtwNotes notes, int? processId)
    {
        ArgumentNullException.ThrowIfNull(notes);
        foreach (var note in notes.Read(out _).Where(note => note.ProcessId == processId || !EtwNotes.IsAlive(note)))
            notes.Remove(note.ProcessId);
    }
}
