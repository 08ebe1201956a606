using EtwSerializerProfiler.Sessions.Etw.Plans;

namespace EtwSerializerProfiler.Sessions.Etw.Conduct;

/// <summary>
/// Tells whose the sessions are that run. Ours have a name with the recorder's process id in it; NT Kernel Logger, whose name says nothing, is ours when a
/// recorder's note names it and it writes to that recording's folder. In doubt a session is somebody else's.
/// </summary>
/// <param name="notes">Notes of recorders.</param>
/// <param name="isAlive">Whether the recorder of a note runs.</param>
/// <param name="isProcessAlive">Whether there is a process of that id: for sessions without a note.</param>
public sealed class EtwOwnership(IReadOnlyList<EtwNote> notes, Func<EtwNote, bool> isAlive, Func<int, bool> isProcessAlive)
{
    /// <summary>Whose each session is.</summary>
    public IReadOnlyList<EtwFoundSession> Find(IEnumerable<EtwRunningSession> sessions) => [.. sessions.Select(Find)];

    /// <summary>Whose a session is.</summary>
    public EtwFoundSession Find(EtwRunningSession session)
    {
        ArgumentNullException.ThrowIfNull(session);
        if (session.Name.Equals(EtwKernelSession.NtKernelLogger, StringComparison.OrdinalIgnoreCase))
            return KernelLogger(session);
        if (!EtwSessionName.IsOurs(session.Name, out var processId))
            return new EtwFoundSession(session, EtwSessionState.Other, 0, "not started by esp-record");
        if (processId == 0)
            return new EtwFoundSession(session, EtwSessionState.Unknown, 0, $"started by our scripts: run their stop script, or 'xperf -stop {session.Name}'");
        var note = notes.FirstOrDefault(note => note.ProcessId == processId);
        var alive = note is not null ? isAlive(note) : isProcessAlive(processId);
        return alive
            ? new EtwFoundSession(session, EtwSessionState.InUse, processId, note is not null ? $"process {processId} records to {note.Folder}" : $"process {processId} runs; if it is no esp-record, stop it with 'esp-record stop --pid {processId}'")
            : new EtwFoundSession(session, EtwSessionState.LeftBehind, processId, $"process {processId} is gone{(note is null ? "" : $"; it recorded to {note.Folder}")}");
    }

    private EtwFoundSession KernelLogger(EtwRunningSession session)
    {
        const string WhatToDo = "only you can know whether another profiler (WPR, xperf, PerfView, Visual Studio) uses it: end that one, or 'xperf -stop' if none does";
        var ours = notes.Where(note => note.Sessions.Contains(session.Name, StringComparer.OrdinalIgnoreCase)).ToList();
        var writer = session.FileName.Length == 0 ? null : ours.FirstOrDefault(note => IsIn(session.FileName, note.Folder));
        if (writer is not null)
        {
            return isAlive(writer)
                ? new EtwFoundSession(session, EtwSessionState.InUse, writer.ProcessId, $"process {writer.ProcessId} records to {writer.Folder}")
                : new EtwFoundSession(session, EtwSessionState.LeftBehind, writer.ProcessId, $"process {writer.ProcessId} is gone; the session writes to its folder {writer.Folder}");
        }

        if (session.FileName.Length > 0 || ours.Count == 0)
            return new EtwFoundSession(session, EtwSessionState.Other, 0, $"not started by esp-record{(session.FileName.Length > 0 ? $": it writes to {session.FileName}" : "")}; {WhatToDo}");
        return new EtwFoundSession(session, EtwSessionState.Unknown, ours[0].ProcessId, $"a recorder of ours used it ({ours[0].Folder}), but the listing names no file; {WhatToDo}");
    }

    private static bool IsIn(string file, string folder)
    {
        var path = file.Replace('/', '\\');
        var parent = folder.Replace('/', '\\').TrimEnd('\\') + '\\';
        return path.StartsWith(parent, StringComparison.OrdinalIgnoreCase);
    }
}
