namespace EtwSerializerProfiler.Contract;

/// <summary>What a serializer writes.</summary>
public enum DataFormat
{
    /// <summary>Characters: XML, JSON.</summary>
    Text = 0,

    /// <summary>Bytes of a format of its own.</summary>
    Binary = 1,
}
