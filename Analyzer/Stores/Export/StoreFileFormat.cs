namespace EtwSerializerProfiler.Stores.Export;

/// <summary>Formats that a store's tables are written in.</summary>
public enum StoreFileFormat
{
    /// <summary>RFC 4180 with a line of names; nulls are empty, empty texts are quoted.</summary>
    Csv = 0,

    /// <summary>A JSON object a line.</summary>
    JsonLines = 1,
}
