namespace EtwSerializerProfiler.Sessions.Etw.Conduct;

/// <summary>Whose a session is.</summary>
public enum EtwSessionState
{
    /// <summary>Not ours; never touched.</summary>
    Other = 0,

    /// <summary>Of a recorder that runs; left alone unless asked for by its process id.</summary>
    InUse = 1,

    /// <summary>Of a recorder that is gone: left behind.</summary>
    LeftBehind = 2,

    /// <summary>It cannot be told whose it is; never touched.</summary>
    Unknown = 3,
}
