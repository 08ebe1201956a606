namespace EtwSerializerProfiler.Stores;

/// <summary>Kinds of stores.</summary>
public enum StoreKind
{
    /// <summary>A file of SQLite.</summary>
    Sqlite = 0,

    /// <summary>A server of ClickHouse, or several as one.</summary>
    ClickHouse = 1,
}
