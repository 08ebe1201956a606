using EtwSerializerProfiler.Sessions.Etw.Plans;

namespace EtwSerializerProfiler.Sessions.Etw.Ownership;

/// <summary>
/// Determines who owns each running session. The names of our sessions contain the recorder's process id. The NT Kernel Logger is ours if a
/// recorder's ledger entry names it and it writes to that recording's folder. When in doubt, the state is
/// <see cref="EtwSessionState.Unknown"/> or <see cref="EtwSessionState.Other"/>, and the session is not stopped.
/// </summary>
/// <param name="entries">Entries of the session ledger.</param>
/// <param name="isAlive">Whether the recorder of an entry is running.</param>
/// <param name="isProcessAlive">Whether a process with an id exists; used for sessions without an entry.</param>
public sealed class EtwOwnership(IReadOnlyList<EtwLedgerEntry> entries, Func<EtwLedgerEntry, bool> isAlive, Func<int, bool> isProcessAlive)
{
    /// <summary>Determines the owner of each session.</summary>
    public IReadOnlyList<EtwFoundSession> Find(IEnumerable<EtwRunningSession> sessions) => [.. sessions.Select(Find)];

    /// <summary>Determines the owner of a session.</summary>
    public EtwFoundSession Find(EtwRunningSession session)
    {
        ArgumentNullException.ThrowIfNull(session);
        if (session.Name.Equals(EtwKernelSession.NtKernelLogger, StringComparison.OrdinalIgnoreCase))
            return KernelLogger(session);
        if (!EtwSessionName.IsOurs(session.Name, out var processId))
            return new EtwFoundSession(session, EtwSessionState.Other, 0, "not started by esp-record");
        if (processId == 0)
            return new EtwFoundSession(
                session,
                EtwSessionState.Unknown,
                0,
                $"started by our scripts: run their stop script, or 'xperf -stop {session.Name}'"
            );
        var entry = entries.FirstOrDefault(entry => entry.ProcessId == processId);
        var alive = entry is not null ? isAlive(entry) : isProcessAlive(processId);
        return alive
            ? new EtwFoundSession(
                session,
                EtwSessionState.InUse,
                processId,
                entry is not null
                    ? $"process {processId} records to {entry.Folder}"
                    : $"process {processId} is running; if it is not esp-record, stop the session with 'esp-record stop --pid {processId}'"
            )
            : new EtwFoundSession(
                session,
                EtwSessionState.LeftBehind,
                processId,
                $"process {processId} has ended{(entry is null ? "" : $"; it recorded to {entry.Folder}")}"
            );
    }

    private EtwFoundSession KernelLogger(EtwRunningSession session)
    {
        const string WhatToDo =
            "check whether another profiler (WPR, xperf, PerfView, Visual Studio) uses it and end that profiler; otherwise stop the session with 'xperf -stop'";
        var ours = entries.Where(entry => entry.Sessions.Contains(session.Name, StringComparer.OrdinalIgnoreCase)).ToList();
        var writer = session.FileName.Length == 0 ? null : ours.FirstOrDefault(entry => IsIn(session.FileName, entry.Folder));
        if (writer is not null)
        {
            return isAlive(writer)
                ? new EtwFoundSession(
                    session,
                    EtwSessionState.InUse,
                    writer.ProcessId,
                    $"process {writer.ProcessId} records to {writer.Folder}"
                )
                : new EtwFoundSession(
                    session,
                    EtwSessionState.LeftBehind,
                    writer.ProcessId,
                    $"process {writer.ProcessId} has ended; the session writes to its folder {writer.Folder}"
                );
        }

        if (session.FileName.Length > 0 || ours.Count == 0)
            return new EtwFoundSession(
                session,
                EtwSessionState.Other,
                0,
                $"not started by esp-record{(session.FileName.Length > 0 ? $": it writes to {session.FileName}" : "")}; {WhatToDo}"
            );
        return new EtwFoundSession(
            session,
            EtwSessionState.Unknown,
            ours[0].ProcessId,
            $"a recorder used it for {ours[0].Folder}, but the listing names no file; {WhatToDo}"
        );
    }

    private static bool IsIn(string file, string folder)
    {
        var path = file.Replace('/', '\\');
        var parent = folder.Replace('/', '\\').TrimEnd('\\') + '\\';
        return path.StartsWith(parent, StringComparison.OrdinalIgnoreCase);
    }
}
