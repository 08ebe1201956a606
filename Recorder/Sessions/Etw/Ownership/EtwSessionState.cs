namespace EtwSerializerProfiler.Sessions.Etw.Ownership;

/// <summary>Ownership of a session.</summary>
public enum EtwSessionState
{
    /// <summary>Owned by another tool; never touched.</summary>
    Other = 0,

    /// <summary>Owned by a running recorder; left alone unless the user names its process id.</summary>
    InUse = 1,

    /// <summary>Owned by a recorder that has ended.</summary>
    LeftBehind = 2,

    /// <summary>The owner is unknown; never touched.</summary>
    Unknown = 3,
}
