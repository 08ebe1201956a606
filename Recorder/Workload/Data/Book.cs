using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Data;

/// <summary>One object of the graph, as in SerializerTests.</summary>
[Serializable]
[DataContract]
public sealed class Book
{
    /// <summary>1-based number of the book on its shelf.</summary>
    [DataMember(Order = 0)]
    public int Id { get; set; }

    /// <summary>Title.</summary>
    [DataMember(Order = 1)]
    public string Title { get; set; } = "";

    /// <summary>Extra bytes; null for none.</summary>
    [DataMember(Order = 2)]
    public byte[]? Payload { get; set; }
}
