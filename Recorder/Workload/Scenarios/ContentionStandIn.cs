using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Stands in for a <see cref="ContentionOrder"/> in the XML.</summary>
[DataContract]
public sealed class ContentionStandIn
{
    /// <summary>All of the order.</summary>
    [DataMember]
    public string Order { get; set; } = "";

    /// <summary>Its remark.</summary>
    [DataMember]
    public object? Remark { get; set; }
}
