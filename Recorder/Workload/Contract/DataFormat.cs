namespace EtwSerializerProfiler.Contract;

/// <summary>Output format of a serializer.</summary>
public enum DataFormat
{
    /// <summary>Characters: XML, JSON.</summary>
    Text = 0,

    /// <summary>Bytes in a binary format.</summary>
    Binary = 1,
}
